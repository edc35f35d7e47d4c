/*---
 * tasks: [btInverseDynamics.CreateMultiBodyTree-56eb84, btInverseDynamics.CreateMultiBodyTree-56eb84.2, btInverseDynamics.CreateMultiBodyTree-56eb84.4]
 * link: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * goals: [build/Extras/InverseDynamics/libBulletInverseDynamicsUtils.a]
 * flags: [-IExtras]
 * tests:
 *   CreateTree.EachBodyIsAsTheCreatorSays: 'Docstring: the creator "returns data defining the system"; MultiBodyTree::addBody says what each datum means.'
 *   CreateTree.UserDataAreHandedOn: 'MultiBodyTreeCreator::getBody copies the documentation of addBody: user_int, user_ptr.'
 *   CreateTree.ASingleBodyWillDo: 'Signature: any number of bodies; SimpleTreeCreator(1).'
 *   CreateTree.TheTreeIsReadyForUse: 'MultiBodyTree: the system is set up by finalize after all bodies were added; callers (test_invdyn_kinematics.cpp) calculate at once.'
 *   CreateTree.NoNumberOfBodiesMeansNoTree: 'Docstring: "0x0 if an error occured"; getNumBodies: "-1 on error".'
 *   CreateTree.AnErrorOfTheFirstBodyMeansNoTree: 'The same; getBody returns -1 on error.'
 *   CreateTree.AnErrorOfTheLastBodyMeansNoTree: 'The same.'
 *   CreateTree.ANegativeMassMeansNoTree: 'addBody: "-1 on error"; setAcceptInvalidMassParameters: "the default is false".'
 *   CreateTree.AnInvalidInertiaMeansNoTree: 'The same.'
 *   CreateTree.AnInvalidTransformMeansNoTree: 'addBody returns -1 unless body_T_parent_ref is a rotation.'
 *   CreateTree.TwoRootsMeanNoTree: 'addBody: the root alone has the parent -1 (InitCache::addBody returns -1).'
 *   CreateTree.AParentThatIsNotThereMeansNoTree: 'finalize: "-1 on error".'
 *   CreateTree.NothingIsLeftBehindAfterAnError: 'Docstring: 0x0 is returned, so no caller can free the tree.'
 *   CreateTree.TheCallerOwnsTheTree: 'Docstring: "A pointer to an allocated multibodytree instance"; callers delete it.'
 *   CreateTree.TreesOfOneCreatorAreTheirOwn: 'Docstring: "Create a multibody object"; test_invdyn_jacobian.cpp makes several.'
 ---*/
#include <vector>

#include <gtest/gtest.h>

#include "idcount.h"

#include "InverseDynamics/MultiBodyTreeCreator.hpp"

using namespace btInverseDynamics;

struct Body
{
	int parent;
	JointType type;
	vec3 r;
	mat33 T;
	vec3 axis;
	idScalar mass;
	vec3 com;
	mat33 I;
	int number;
	void* pointer;
};

class Creator : public MultiBodyTreeCreator
{
public:
	std::vector<Body> bodies;
	int fails;  /* the body that fails, -2: the number of bodies */
	mutable std::vector<int> outOfRange;
	Creator() : fails(-1) {}
	int getNumBodies(int* n) const
	{
		*n = (int)bodies.size();
		return fails == -2 ? -1 : 0;
	}
	int getBody(const int i, int* parent, JointType* type, vec3* r, mat33* T, vec3* axis, idScalar* mass, vec3* com,
				mat33* I, int* number, void** pointer) const
	{
		if (i < 0 || i >= (int)bodies.size())
		{
			outOfRange.push_back(i);
			return -1;
		}
		const Body& b = bodies[i];
		*parent = b.parent;
		*type = b.type;
		*r = b.r;
		*T = b.T;
		*axis = b.axis;
		*mass = b.mass;
		*com = b.com;
		*I = b.I;
		*number = b.number;
		*pointer = b.pointer;
		return i == fails ? -1 : 0;
	}
};

static int things[4];

static Body body(int i, int parent, JointType type)
{
	Body b;
	b.parent = parent;
	b.type = type;
	b.r = btVector3(0.1 + i, 0.2 * i, -0.3);
	/* Turns about each axis in turn, so that no matrix is symmetric. */
	b.T = i % 3 == 0 ? transformX(0.3 + i) : i % 3 == 1 ? transformY(0.5 + i) : transformZ(0.7 + i);
	b.axis = i % 2 ? btVector3(0, 0.6, 0.8) : btVector3(0.8, 0, -0.6);
	b.mass = 2 + i;
	b.com = btVector3(0.01, -0.02 * i, 0.03 + i);
	b.I = btMatrix3x3(10 + i, 0.5, 0.25, 0.5, 11, 0.125, 0.25, 0.125, 12);
	b.number = 100 + i;
	b.pointer = &things[i];
	return b;
}

class CreateTree : public testing::Test
{
protected:
	Creator creator;
	CreateTree()
	{
		creator.bodies.push_back(body(0, -1, REVOLUTE));
		creator.bodies.push_back(body(1, 0, PRISMATIC));
		creator.bodies.push_back(body(2, 0, FIXED));
		creator.bodies.push_back(body(3, 1, FLOATING));
	}
	void expectNoTree()
	{
		const int before = outstanding;
		EXPECT_TRUE(CreateMultiBodyTree(creator) == 0);
		EXPECT_EQ(before, outstanding);
		EXPECT_TRUE(creator.outOfRange.empty());
	}
};

TEST_F(CreateTree, EachBodyIsAsTheCreatorSays)
{
	MultiBodyTree* tree = CreateMultiBodyTree(creator);
	ASSERT_TRUE(tree != 0);
	ASSERT_EQ(4, tree->numBodies());
	EXPECT_EQ(8, tree->numDoFs());
	for (int i = 0; i < 4; i++)
	{
		const Body& b = creator.bodies[i];
		int parent;
		JointType type;
		vec3 r, first, axis;
		mat33 T, second;
		idScalar mass;
		EXPECT_EQ(0, tree->getParentIndex(i, &parent));
		EXPECT_EQ(b.parent, parent);
		EXPECT_EQ(0, tree->getJointType(i, &type));
		EXPECT_EQ(b.type, type);
		EXPECT_EQ(0, tree->getParentRParentBodyRef(i, &r));
		EXPECT_EQ(0, tree->getBodyTParentRef(i, &T));
		EXPECT_EQ(0, tree->getBodyMass(i, &mass));
		EXPECT_EQ(0, tree->getBodyFirstMassMoment(i, &first));
		EXPECT_EQ(0, tree->getBodySecondMassMoment(i, &second));
		EXPECT_NEAR(b.mass, mass, 1e-12);
		for (int k = 0; k < 3; k++)
		{
			EXPECT_NEAR(b.r(k), r(k), 1e-12);
			EXPECT_NEAR(b.mass * b.com(k), first(k), 1e-12);
			for (int l = 0; l < 3; l++)
			{
				EXPECT_NEAR(b.T(k, l), T(k, l), 1e-12);
				EXPECT_NEAR(b.I(k, l), second(k, l), 1e-12);
			}
		}
		if (b.type == REVOLUTE || b.type == PRISMATIC)
		{
			EXPECT_EQ(0, tree->getBodyAxisOfMotion(i, &axis));
			for (int k = 0; k < 3; k++)
				EXPECT_NEAR(b.axis(k), axis(k), 1e-12);
		}
	}
	EXPECT_TRUE(creator.outOfRange.empty());
	delete tree;
}

TEST_F(CreateTree, UserDataAreHandedOn)
{
	MultiBodyTree* tree = CreateMultiBodyTree(creator);
	ASSERT_TRUE(tree != 0);
	for (int i = 0; i < 4; i++)
	{
		int number = 0;
		void* pointer = 0;
		EXPECT_EQ(0, tree->getUserInt(i, &number));
		EXPECT_EQ(0, tree->getUserPtr(i, &pointer));
		EXPECT_EQ(100 + i, number);
		EXPECT_EQ(&things[i], pointer);
	}
	delete tree;
}

TEST_F(CreateTree, ASingleBodyWillDo)
{
	creator.bodies.resize(1);
	MultiBodyTree* tree = CreateMultiBodyTree(creator);
	ASSERT_TRUE(tree != 0);
	EXPECT_EQ(1, tree->numBodies());
	EXPECT_EQ(1, tree->numDoFs());
	EXPECT_TRUE(creator.outOfRange.empty());
	delete tree;
}

TEST_F(CreateTree, TheTreeIsReadyForUse)
{
	creator.bodies.resize(2);
	MultiBodyTree* tree = CreateMultiBodyTree(creator);
	ASSERT_TRUE(tree != 0);
	vecx q(2), u(2), du(2), f(2);
	matxx m(2, 2);
	setZero(q);
	setZero(u);
	setZero(du);
	EXPECT_EQ(0, tree->calculateInverseDynamics(q, u, du, &f));
	EXPECT_EQ(0, tree->calculateKinematics(q, u, du));
	EXPECT_EQ(0, tree->calculateMassMatrix(q, &m));
	EXPECT_FALSE(tree->getAcceptInvalidMassProperties());
	delete tree;
}

TEST_F(CreateTree, NoNumberOfBodiesMeansNoTree)
{
	creator.fails = -2;
	expectNoTree();
}

TEST_F(CreateTree, AnErrorOfTheFirstBodyMeansNoTree)
{
	creator.fails = 0;
	expectNoTree();
}

TEST_F(CreateTree, AnErrorOfTheLastBodyMeansNoTree)
{
	creator.fails = 3;
	expectNoTree();
}

TEST_F(CreateTree, ANegativeMassMeansNoTree)
{
	creator.bodies[2].mass = -1;
	expectNoTree();
}

TEST_F(CreateTree, AnInvalidInertiaMeansNoTree)
{
	creator.bodies[3].I = btMatrix3x3(1, 0, 0, 0, 1, 0, 0, 0, 5);
	expectNoTree();
	creator.bodies[3].I = btMatrix3x3(-1, 0, 0, 0, -1, 0, 0, 0, -1);
	expectNoTree();
}

TEST_F(CreateTree, AnInvalidTransformMeansNoTree)
{
	creator.bodies[1].T = btMatrix3x3(2, 0, 0, 0, 1, 0, 0, 0, 1);
	expectNoTree();
}

TEST_F(CreateTree, TwoRootsMeanNoTree)
{
	creator.bodies[2].parent = -1;
	expectNoTree();
}

TEST_F(CreateTree, AParentThatIsNotThereMeansNoTree)
{
	creator.bodies[3].parent = 9;
	expectNoTree();
}

TEST_F(CreateTree, NothingIsLeftBehindAfterAnError)
{
	const int before = outstanding;
	const int errors[] = {-2, 0, 1, 2, 3};
	for (int i = 0; i < 5; i++)
	{
		creator.fails = errors[i];
		EXPECT_TRUE(CreateMultiBodyTree(creator) == 0);
		EXPECT_EQ(before, outstanding) << "error " << errors[i];
	}
	creator.fails = -1;
	creator.bodies[3].mass = -1;
	EXPECT_TRUE(CreateMultiBodyTree(creator) == 0);
	EXPECT_EQ(before, outstanding);
	creator.bodies[3].mass = 1;
	creator.bodies[3].parent = 9;
	EXPECT_TRUE(CreateMultiBodyTree(creator) == 0);
	EXPECT_EQ(before, outstanding);
}

TEST_F(CreateTree, TheCallerOwnsTheTree)
{
	const int before = outstanding;
	MultiBodyTree* tree = CreateMultiBodyTree(creator);
	ASSERT_TRUE(tree != 0);
	EXPECT_LT(before, outstanding);
	delete tree;
	EXPECT_EQ(before, outstanding);
}

TEST_F(CreateTree, TreesOfOneCreatorAreTheirOwn)
{
	MultiBodyTree* a = CreateMultiBodyTree(creator);
	MultiBodyTree* b = CreateMultiBodyTree(creator);
	ASSERT_TRUE(a != 0 && b != 0);
	EXPECT_NE(a, b);
	EXPECT_EQ(4, b->numBodies());
	a->setBodyMass(1, 50);
	idScalar mass = 0;
	b->getBodyMass(1, &mass);
	EXPECT_NEAR(3, mass, 1e-12);
	delete a;
	b->getBodyMass(2, &mass);
	EXPECT_NEAR(4, mass, 1e-12);
	delete b;
}

int main(int argc, char** argv)
{
	countAllocations();
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
