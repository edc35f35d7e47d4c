/*---
 * tasks: [7D36128668CA20A7]
 * goals: [graft/out/utils/TableGen/CodeGenDAGPatterns.o]
 * flags: [-Illvm/utils/TableGen]
 * tests:
 *   NodeInfo.HoldsTheNames: 'Docstring: "Parse the specified record"; SDNode in TargetSelectionDAG.td: Opcode and SDClass.'
 *   NodeInfo.HoldsTheNumbers: 'SDTypeProfile: numresults, numoperands.'
 *   NodeInfo.OfAnyNumberOfOperandsIsVariadic: 'getNumOperands: "the number of operands required or -1 if variadic".'
 *   NodeInfo.HoldsTheProperties: 'SDNode: its list of properties; hasProperty.'
 *   NodeInfo.HoldsTheConstraints: 'SDTypeProfile: its list of constraints, in order.'
 *   NodeInfo.HoldsTheRecord: 'getRecord.'
 ---*/
#include "tablegen.h"
#include "CodeGenDAGPatterns.h"
#include "gtest/gtest.h"

using namespace llvm;

class NodeInfo : public testing::Test {
protected:
  static void SetUpTestSuite() {
    Records = &records(Target + "def my_node : SDNode<\"My::NODE\",\n"
                                "  SDTypeProfile<1, 3, [SDTCisInt<1>, SDTCisSameAs<0, 2>, SDTCisVT<3, i32>]>,\n"
                                "  [SDNPHasChain, SDNPMayLoad, SDNPMemOperand], \"MemSDNode\">;\n"
                                "def my_variadic :\n"
                                "  SDNode<\"My::VARIADIC\", SDTypeProfile<2, -1, []>, [SDNPVariadic]>;\n");
  }
  static RecordKeeper *Records;
  CodeGenHwModes Modes{*Records};
  SDNodeInfo Node{Records->getDef("my_node"), Modes}, Variadic{Records->getDef("my_variadic"), Modes};
};
RecordKeeper *NodeInfo::Records;

TEST_F(NodeInfo, HoldsTheNames) {
  EXPECT_EQ("My::NODE", Node.getEnumName());
  EXPECT_EQ("MemSDNode", Node.getSDClassName());
  EXPECT_EQ("SDNode", Variadic.getSDClassName());
}

TEST_F(NodeInfo, HoldsTheNumbers) {
  EXPECT_EQ(1u, Node.getNumResults());
  EXPECT_EQ(3, Node.getNumOperands());
}

TEST_F(NodeInfo, OfAnyNumberOfOperandsIsVariadic) {
  EXPECT_EQ(2u, Variadic.getNumResults());
  EXPECT_EQ(-1, Variadic.getNumOperands());
}

TEST_F(NodeInfo, HoldsTheProperties) {
  for (SDNP Property : {SDNPHasChain, SDNPMayLoad, SDNPMemOperand})
    EXPECT_TRUE(Node.hasProperty(Property)) << Property;
  for (SDNP Property : {SDNPCommutative, SDNPMayStore, SDNPSideEffect, SDNPVariadic})
    EXPECT_FALSE(Node.hasProperty(Property)) << Property;
  EXPECT_TRUE(Variadic.hasProperty(SDNPVariadic));
}

TEST_F(NodeInfo, HoldsTheConstraints) {
  ASSERT_EQ(3u, Node.getTypeConstraints().size());
  EXPECT_EQ(SDTypeConstraint::SDTCisInt, Node.getTypeConstraints()[0].ConstraintType);
  EXPECT_EQ(1u, Node.getTypeConstraints()[0].OperandNo);
  EXPECT_EQ(SDTypeConstraint::SDTCisSameAs, Node.getTypeConstraints()[1].ConstraintType);
  EXPECT_EQ(SDTypeConstraint::SDTCisVT, Node.getTypeConstraints()[2].ConstraintType);
  EXPECT_TRUE(Variadic.getTypeConstraints().empty());
}

TEST_F(NodeInfo, HoldsTheRecord) { EXPECT_EQ(Records->getDef("my_node"), Node.getRecord()); }
