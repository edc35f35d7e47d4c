/*---
 * tasks: [8F2E01C42FED29A6]
 * tests:
 *   Clear.TheArrayIsEmpty: 'Docstring: "clear the array".'
 *   Clear.TheMemoryIsGivenBack: 'Docstring: "deallocated memory", and resize(0) for those who want to keep it.'
 *   Clear.EachElementIsDestroyedOnce: 'Docstring: "clear the array"; the array owns copies, as push_back makes them.'
 *   Clear.AnEmptyArrayMayBeClearedAndTwice: 'The destructor clears every array, also one that was cleared before.'
 *   Clear.ItCanBeFilledAgain: 'Callers clear arrays and fill them again; the destructor then frees what was taken.'
 *   Clear.MemoryOfSomebodyElseIsLeftAlone: 'initializeFromBuffer: m_ownsMemory is false, and deallocate frees what the array owns alone.'
 * goals: [build/test/SharedMemory/CMakeFiles/Test_PhysicsClientServer.dir/__/__/examples/OpenGLWindow/SimpleCamera.o]
 ---*/
#include <gtest/gtest.h>

#include "Bullet3Common/b3AlignedObjectArray.h"
#include "Bullet3Common/b3AlignedAllocator.h"

#include <cstdlib>

static int blocks;

static void* take(size_t size)
{
	blocks++;
	return malloc(size);
}

static void give(void* memory)
{
	blocks -= memory != 0;
	free(memory);
}

struct Counted
{
	static int alive;
	int number;
	Counted(int n = 0) : number(n) { alive++; }
	Counted(const Counted& other) : number(other.number) { alive++; }
	~Counted() { alive--; }
};
int Counted::alive;

class Clear : public testing::Test
{
protected:
	void SetUp()
	{
		blocks = 0;
		Counted::alive = 0;
		b3AlignedAllocSetCustom(take, give);
	}
};

TEST_F(Clear, TheArrayIsEmpty)
{
	b3AlignedObjectArray<int> a;
	for (int i = 0; i < 10; i++)
		a.push_back(i);
	a.clear();
	EXPECT_EQ(0, a.size());
}

TEST_F(Clear, TheMemoryIsGivenBack)
{
	b3AlignedObjectArray<int> a;
	for (int i = 0; i < 10; i++)
		a.push_back(i);
	EXPECT_GT(blocks, 0);
	a.clear();
	EXPECT_EQ(0, blocks);
	EXPECT_EQ(0, a.capacity());
}

TEST_F(Clear, EachElementIsDestroyedOnce)
{
	{
		b3AlignedObjectArray<Counted> a;
		for (int i = 0; i < 10; i++)
			a.push_back(Counted(i));
		EXPECT_EQ(10, Counted::alive);
		a.clear();
		EXPECT_EQ(0, Counted::alive);
	}
	EXPECT_EQ(0, Counted::alive);
	EXPECT_EQ(0, blocks);
}

TEST_F(Clear, AnEmptyArrayMayBeClearedAndTwice)
{
	b3AlignedObjectArray<int> a;
	a.clear();
	a.push_back(1);
	a.clear();
	a.clear();
	EXPECT_EQ(0, a.size());
	EXPECT_EQ(0, blocks);
}

TEST_F(Clear, ItCanBeFilledAgain)
{
	{
		b3AlignedObjectArray<int> a;
		for (int i = 0; i < 10; i++)
			a.push_back(i);
		a.clear();
		for (int i = 0; i < 20; i++)
			a.push_back(2 * i);
		ASSERT_EQ(20, a.size());
		for (int i = 0; i < 20; i++)
			EXPECT_EQ(2 * i, a[i]);
		EXPECT_GT(blocks, 0);
	}
	EXPECT_EQ(0, blocks);
}

TEST_F(Clear, MemoryOfSomebodyElseIsLeftAlone)
{
	int buffer[4] = {1, 2, 3, 4};
	{
		b3AlignedObjectArray<int> a;
		a.initializeFromBuffer(buffer, 4, 4);
		a.clear();
		EXPECT_EQ(0, a.size());
		EXPECT_EQ(0, blocks);
		/* What it takes afterwards is its own again. */
		a.push_back(7);
		EXPECT_EQ(7, a[0]);
		EXPECT_GT(blocks, 0);
	}
	EXPECT_EQ(0, blocks);
	EXPECT_EQ(1, buffer[0]);
	EXPECT_EQ(4, buffer[3]);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
