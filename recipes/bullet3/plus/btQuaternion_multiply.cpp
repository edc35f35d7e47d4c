/*---
 * tasks: [644AC9DDE70BF687]
 * tests:
 *   Multiply.TheOtherStandsOnTheRight: 'Docstring: "Multiply this quaternion by q on the right".'
 *   Multiply.EachElementOfBothCounts: 'Docstring: "this = this * q".'
 *   Multiply.ItIsTheSameAsTheProduct: 'Docstring: "this = this * q".'
 *   Multiply.OneChangesNothing: 'Docstring: "this = this * q"; getIdentity is (0, 0, 0, 1).'
 *   Multiply.TheQuaternionItselfIsReturnedAndTheOtherStays: 'Signature: a reference, and a const parameter.'
 ---*/
#include <gtest/gtest.h>

#include "LinearMath/btQuaternion.h"

static void expectQuaternion(const btQuaternion& q, double x, double y, double z, double w)
{
	EXPECT_NEAR(x, q.x(), 1e-12);
	EXPECT_NEAR(y, q.y(), 1e-12);
	EXPECT_NEAR(z, q.z(), 1e-12);
	EXPECT_NEAR(w, q.w(), 1e-12);
}

TEST(Multiply, TheOtherStandsOnTheRight)
{
	btQuaternion q(1, 0, 0, 0);
	q *= btQuaternion(0, 1, 0, 0);
	expectQuaternion(q, 0, 0, 1, 0);
	btQuaternion r(0, 1, 0, 0);
	r *= btQuaternion(1, 0, 0, 0);
	expectQuaternion(r, 0, 0, -1, 0);
}

TEST(Multiply, EachElementOfBothCounts)
{
	btQuaternion q(2, 3, 5, 7);
	q *= btQuaternion(11, 13, 17, 19);
	expectQuaternion(q, 101, 169, 207, -13);
	btQuaternion r(11, 13, 17, 19);
	r *= btQuaternion(2, 3, 5, 7);
	expectQuaternion(r, 129, 127, 221, -13);
}

TEST(Multiply, ItIsTheSameAsTheProduct)
{
	const btQuaternion a(-2, 3, 0.5, 7), b(1, -1, 4, 0.25), product = a * b;
	btQuaternion q = a;
	q *= b;
	expectQuaternion(q, product.x(), product.y(), product.z(), product.w());
}

TEST(Multiply, OneChangesNothing)
{
	btQuaternion q(2, -3, 5, 7);
	q *= btQuaternion(0, 0, 0, 1);
	expectQuaternion(q, 2, -3, 5, 7);
}

TEST(Multiply, TheQuaternionItselfIsReturnedAndTheOtherStays)
{
	btQuaternion q(2, 3, 5, 7), other(11, 13, 17, 19);
	EXPECT_EQ(&q, &(q *= other));
	expectQuaternion(other, 11, 13, 17, 19);
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
