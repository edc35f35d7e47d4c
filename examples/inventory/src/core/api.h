/* Attributes that the whole project uses; they stand before the return type. */
#ifndef INV_CORE_API_H
#define INV_CORE_API_H

#define INV_API __attribute__((visibility("default")))
#define INV_CHECKED __attribute__((warn_unused_result))
#define INV_INLINE static inline __attribute__((unused))

#ifdef __cplusplus
#define INV_BEGIN extern "C" {
#define INV_END }
#else
#define INV_BEGIN
#define INV_END
#endif

#endif
