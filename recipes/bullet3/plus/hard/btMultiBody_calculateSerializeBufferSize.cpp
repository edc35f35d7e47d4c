/*---
 * tasks: [btMultiBody.serialize-414cdc.2, btMultiBody.serialize-414cdc.4]
 * tests:
 *   BufferSize.ItIsThatOfTheStructure: 'btMultiBodyDynamicsWorld::serializeMultiBodies allocates it for one btMultiBodyData; the importer reads it by the DNA.'
 *   BufferSize.LinksAreNotInIt: 'serialize allocates the array of links itself.'
 *   BufferSize.SerializeKeepsWithinIt: 'The caller gives serialize a buffer of that size.'
 ---*/
#include "multi_body.h"

TEST(BufferSize, ItIsThatOfTheStructure)
{
	btMultiBody body(0, 1, btVector3(1, 1, 1), false, false);
	EXPECT_EQ(int(sizeof(btMultiBodyDoubleData)), body.calculateSerializeBufferSize());
}

TEST(BufferSize, LinksAreNotInIt)
{
	for (int n = 1; n < 8; n++)
	{
		btMultiBody body(n, 1, btVector3(1, 1, 1), n % 2 == 0, false);
		EXPECT_EQ(int(sizeof(btMultiBodyDoubleData)), body.calculateSerializeBufferSize());
	}
}

TEST(BufferSize, SerializeKeepsWithinIt)
{
	btMultiBody body(1, 1, btVector3(1, 1, 1), false, false);
	body.setupFixed(0, 4, btVector3(6, 7, 8), -1, btQuaternion(0, 0, 0, 1), btVector3(3, 4, 5), btVector3(6, 7, 8));
	body.finalizeMultiDof();
	const int size = body.calculateSerializeBufferSize();
	std::vector<double> buffer(size / sizeof(double) + 9);
	char* bytes = reinterpret_cast<char*>(&buffer[0]);
	memset(bytes, 0x77, buffer.size() * sizeof(double));
	btDefaultSerializer serializer;
	serializer.startSerialization();
	body.serialize(bytes, &serializer);
	for (size_t i = size; i < buffer.size() * sizeof(double); i++)
		ASSERT_EQ(0x77, bytes[i]);
	EXPECT_EQ(1, reinterpret_cast<btMultiBodyDoubleData*>(bytes)->m_numLinks);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
