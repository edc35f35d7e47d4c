/*---
 * tasks: [btMultiBody.serialize-414cdc, btMultiBody.serialize-414cdc.2, btMultiBody.serialize-414cdc.4]
 * tests:
 *   Serialize.ItNamesItsStructure: 'Docstring: "returns the struct name"; the file''s DNA knows it.'
 *   Serialize.ThePlaceAndTheOrientationOfTheBase: 'btMultiBodyDoubleData: m_baseWorldPosition, m_baseWorldOrientation; getWorldToBaseRot "rotates world vectors into base frame"; btMultiBodyWorldImporter takes the inverse again.'
 *   Serialize.TheVelocitiesOfTheBase: 'm_baseLinearVelocity, m_baseAngularVelocity.'
 *   Serialize.TheMassAndInertiaOfTheBase: 'm_baseMass, m_baseInertia.'
 *   Serialize.WithoutLinksThereIsNoArray: 'm_numLinks, m_links.'
 *   Serialize.TheLinksAreOneArray: 'm_links is the pointer under which the array is found in the file (btSerializer::finalizeChunk, getUniquePointer).'
 *   Serialize.EachLinksKindAndCounts: 'btMultiBodyLinkDoubleData: m_jointType, m_dofCount, m_posVarCount, m_parentIndex; the importer sets up by them.'
 *   Serialize.EachLinksMassAndInertia: 'm_linkMass, m_linkInertia.'
 *   Serialize.EachLinksFrames: 'm_zeroRotParentToThis, m_parentComToThisPivotOffset (m_eVector: "vector from parent''s COM to the pivot"), m_thisPivotToThisComOffset (m_dVector).'
 *   Serialize.EachLinksAxes: 'm_jointAxisTop, m_jointAxisBottom, one for each degree of freedom.'
 *   Serialize.EachLinksJointState: 'm_jointPos, m_jointVel, m_jointTorque; getJointVelMultiDof.'
 *   Serialize.EachLinksLimits: 'm_jointDamping, m_jointFriction, the limits, m_jointMaxForce, m_jointMaxVelocity.'
 *   Serialize.EachLinksVelocities: 'm_absFrameTotVelocityTop and so on.'
 *   Serialize.NamesAreWrittenAndPointedTo: 'm_baseName, m_linkName, m_jointName; serializeName; sibling btCollisionObject::serialize.'
 *   Serialize.UnknownNamesAreNull: 'findNameForPointer is 0 where none was registered.'
 *   Serialize.TheColliderIsPointedTo: 'm_linkCollider: getUniquePointer, as btRigidBody does; 0 for none.'
 *   Serialize.ThePaddingIsZero: 'Siblings btRigidBody::serialize and btCollisionObject::serialize fill it with zeros.'
 *   Serialize.TheMultiBodyStays: 'Signature: const.'
 ---*/
#include "multi_body.h"

struct Recorder : public btDefaultSerializer
{
	struct Made
	{
		btChunk* chunk;
		std::string type;
		int code;
		void* old;
	};
	std::vector<Made> made;
	std::vector<std::string> names;
	virtual void finalizeChunk(btChunk* chunk, const char* type, int code, void* old)
	{
		Made m = {chunk, type, code, old};
		made.push_back(m);
		btDefaultSerializer::finalizeChunk(chunk, type, code, old);
	}
	virtual void serializeName(const char* name)
	{
		names.push_back(name ? name : "");
		btDefaultSerializer::serializeName(name);
	}
	int count(const std::string& type) const
	{
		int n = 0;
		for (size_t i = 0; i < made.size(); i++)
			n += made[i].type == type;
		return n;
	}
	/* What the file holds under this pointer. */
	const btChunk* under(const void* unique) const
	{
		for (size_t i = 0; i < made.size(); i++)
			if (made[i].chunk->m_oldPtr == unique)
				return made[i].chunk;
		return 0;
	}
	bool wrote(const std::string& name) const
	{
		for (size_t i = 0; i < names.size(); i++)
			if (names[i] == name)
				return true;
		return false;
	}
};

static const btQuaternion quat(double x, double y, double z, double w) { return btQuaternion(x, y, z, w).normalized(); }

class Serialize : public testing::Test
{
protected:
	btMultiBody body;
	Recorder file;
	btMultiBodyDoubleData data;
	const btMultiBodyLinkDoubleData* links;
	const char* type;
	btMultiBodyLinkCollider collider;

	Serialize() : body(5, 7, btVector3(1, 2, 3), false, false), links(0), type(0), collider(&body, 1)
	{
		body.setupRevolute(0, 2, btVector3(4, 5, 6), -1, quat(1, 2, 3, 4), btVector3(0, 0.6, 0.8), btVector3(1, 2, 3), btVector3(4, 5, 6));
		body.setupPrismatic(1, 3, btVector3(5, 6, 7), 0, quat(4, 3, 2, 1), btVector3(0.6, 0.8, 0), btVector3(2, 3, 4), btVector3(5, 6, 7), true);
		body.setupFixed(2, 4, btVector3(6, 7, 8), 0, quat(1, 0, 1, 0), btVector3(3, 4, 5), btVector3(6, 7, 8));
		body.setupSpherical(3, 5, btVector3(7, 8, 9), 2, quat(0, 1, 0, 3), btVector3(4, 5, 6), btVector3(7, 8, 9));
		body.setupPlanar(4, 6, btVector3(8, 9, 10), 1, quat(2, 1, 2, 3), btVector3(0, 0, 1), btVector3(5, 6, 7));
		body.finalizeMultiDof();
		body.setBasePos(btVector3(10, 20, 30));
		body.setWorldToBaseRot(quat(1, 3, 5, 7));
		body.setBaseVel(btVector3(11, 12, 13));
		body.setBaseOmega(btVector3(14, 15, 16));
		double value = 0.1;
		for (int i = 0; i < 5; i++)
		{
			btMultibodyLink& link = body.getLink(i);
			for (int k = 0; k < link.m_posVarCount; k++)
				link.m_jointPos[k] = value += 0.1;
			for (int k = 0; k < link.m_dofCount; k++)
			{
				link.m_jointTorque[k] = value += 0.1;
				body.getJointVelMultiDof(i)[k] = value += 0.1;
			}
			link.m_jointDamping = 100 + i;
			link.m_jointFriction = 110 + i;
			link.m_jointLowerLimit = -120 - i;
			link.m_jointUpperLimit = 130 + i;
			link.m_jointMaxForce = 140 + i;
			link.m_jointMaxVelocity = 150 + i;
			link.m_absFrameTotVelocity.m_topVec.setValue(i, 1, 2);
			link.m_absFrameTotVelocity.m_bottomVec.setValue(i, 3, 4);
			link.m_absFrameLocVelocity.m_topVec.setValue(i, 5, 6);
			link.m_absFrameLocVelocity.m_bottomVec.setValue(i, 7, 8);
		}
	}
	void write(const btMultiBody& b)
	{
		memset(&data, 0x5A, sizeof(data));
		file.startSerialization();
		type = b.serialize(&data, &file);
		const btChunk* chunk = data.m_numLinks ? file.under(data.m_links) : 0;
		links = chunk ? reinterpret_cast<const btMultiBodyLinkDoubleData*>(chunk + 1) : 0;
	}
	void write()
	{
		write(body);
		ASSERT_TRUE(links != 0);
	}
	static void expectSame(const btVector3& want, const btVector3DoubleData& found)
	{
		for (int k = 0; k < 3; k++)
			EXPECT_NEAR(want[k], found.m_floats[k], 1e-12);
	}
	static void expectSame(const btQuaternion& want, const btQuaternionDoubleData& found)
	{
		for (int k = 0; k < 4; k++)
			EXPECT_NEAR(want[k], found.m_floats[k], 1e-12);
	}
};

TEST_F(Serialize, ItNamesItsStructure)
{
	write();
	ASSERT_TRUE(type != 0);
	EXPECT_STREQ("btMultiBodyDoubleData", type);
}

TEST_F(Serialize, ThePlaceAndTheOrientationOfTheBase)
{
	write();
	expectSame(btVector3(10, 20, 30), data.m_baseWorldPosition);
	const btQuaternion q = quat(1, 3, 5, 7);
	expectSame(btQuaternion(-q.x(), -q.y(), -q.z(), q.w()), data.m_baseWorldOrientation);
}

TEST_F(Serialize, TheVelocitiesOfTheBase)
{
	write();
	expectSame(btVector3(11, 12, 13), data.m_baseLinearVelocity);
	expectSame(btVector3(14, 15, 16), data.m_baseAngularVelocity);
}

TEST_F(Serialize, TheMassAndInertiaOfTheBase)
{
	write();
	EXPECT_EQ(7, data.m_baseMass);
	expectSame(btVector3(1, 2, 3), data.m_baseInertia);
}

TEST_F(Serialize, WithoutLinksThereIsNoArray)
{
	btMultiBody lone(0, 2, btVector3(3, 4, 5), false, false);
	lone.finalizeMultiDof();
	lone.setBasePos(btVector3(1, 2, 3));
	write(lone);
	EXPECT_STREQ("btMultiBodyDoubleData", type);
	EXPECT_EQ(0, data.m_numLinks);
	EXPECT_TRUE(data.m_links == 0);
	EXPECT_EQ(0, file.count("btMultiBodyLinkDoubleData"));
	expectSame(btVector3(1, 2, 3), data.m_baseWorldPosition);
	EXPECT_EQ(2, data.m_baseMass);
}

TEST_F(Serialize, TheLinksAreOneArray)
{
	write();
	EXPECT_EQ(5, data.m_numLinks);
	ASSERT_EQ(1, file.count("btMultiBodyLinkDoubleData"));
	const btChunk* chunk = file.under(data.m_links);
	EXPECT_EQ(5, chunk->m_number);
	EXPECT_EQ(int(5 * sizeof(btMultiBodyLinkDoubleData)), chunk->m_length);
	EXPECT_EQ(BT_ARRAY_CODE, chunk->m_chunkCode);
}

TEST_F(Serialize, EachLinksKindAndCounts)
{
	write();
	const int kinds[5] = {btMultibodyLink::eRevolute, btMultibodyLink::ePrismatic, btMultibodyLink::eFixed, btMultibodyLink::eSpherical, btMultibodyLink::ePlanar};
	const int dofs[5] = {1, 1, 0, 3, 3}, places[5] = {1, 1, 0, 4, 3}, parents[5] = {-1, 0, 0, 2, 1};
	for (int i = 0; i < 5; i++)
	{
		EXPECT_EQ(kinds[i], links[i].m_jointType);
		EXPECT_EQ(dofs[i], links[i].m_dofCount);
		EXPECT_EQ(places[i], links[i].m_posVarCount);
		EXPECT_EQ(parents[i], links[i].m_parentIndex);
	}
}

TEST_F(Serialize, EachLinksMassAndInertia)
{
	write();
	for (int i = 0; i < 5; i++)
	{
		EXPECT_EQ(2 + i, links[i].m_linkMass);
		expectSame(btVector3(4 + i, 5 + i, 6 + i), links[i].m_linkInertia);
	}
}

TEST_F(Serialize, EachLinksFrames)
{
	write();
	const btQuaternion turns[5] = {quat(1, 2, 3, 4), quat(4, 3, 2, 1), quat(1, 0, 1, 0), quat(0, 1, 0, 3), quat(2, 1, 2, 3)};
	for (int i = 0; i < 5; i++)
	{
		expectSame(turns[i], links[i].m_zeroRotParentToThis);
		expectSame(btVector3(1 + i, 2 + i, 3 + i), links[i].m_parentComToThisPivotOffset);
		expectSame(i == 4 ? btVector3(0, 0, 0) : btVector3(4 + i, 5 + i, 6 + i), links[i].m_thisPivotToThisComOffset);
	}
}

TEST_F(Serialize, EachLinksAxes)
{
	write();
	const btVector3 axis(0, 0.6, 0.8);
	expectSame(axis, links[0].m_jointAxisTop[0]);
	expectSame(axis.cross(btVector3(4, 5, 6)), links[0].m_jointAxisBottom[0]);
	expectSame(btVector3(0, 0, 0), links[1].m_jointAxisTop[0]);
	expectSame(btVector3(0.6, 0.8, 0), links[1].m_jointAxisBottom[0]);
	for (int k = 0; k < 3; k++)
	{
		btVector3 e(0, 0, 0);
		e[k] = 1;
		expectSame(e, links[3].m_jointAxisTop[k]);
		expectSame(e.cross(btVector3(7, 8, 9)), links[3].m_jointAxisBottom[k]);
	}
	expectSame(btVector3(0, 0, 1), links[4].m_jointAxisTop[0]);
	expectSame(btVector3(0, 0, 0), links[4].m_jointAxisBottom[0]);
	for (int k = 1; k < 3; k++)
	{
		expectSame(btVector3(0, 0, 0), links[4].m_jointAxisTop[k]);
		expectSame(body.getLink(4).getAxisBottom(k), links[4].m_jointAxisBottom[k]);
	}
}

TEST_F(Serialize, EachLinksJointState)
{
	write();
	double value = 0.1;
	const int dofs[5] = {1, 1, 0, 3, 3}, places[5] = {1, 1, 0, 4, 3};
	for (int i = 0; i < 5; i++)
	{
		for (int k = 0; k < places[i]; k++)
			EXPECT_NEAR(value += 0.1, links[i].m_jointPos[k], 1e-12) << i << ", " << k;
		for (int k = 0; k < dofs[i]; k++)
		{
			EXPECT_NEAR(value += 0.1, links[i].m_jointTorque[k], 1e-12) << i << ", " << k;
			EXPECT_NEAR(value += 0.1, links[i].m_jointVel[k], 1e-12) << i << ", " << k;
		}
	}
}

TEST_F(Serialize, EachLinksLimits)
{
	write();
	for (int i = 0; i < 5; i++)
	{
		EXPECT_EQ(100 + i, links[i].m_jointDamping);
		EXPECT_EQ(110 + i, links[i].m_jointFriction);
		EXPECT_EQ(-120 - i, links[i].m_jointLowerLimit);
		EXPECT_EQ(130 + i, links[i].m_jointUpperLimit);
		EXPECT_EQ(140 + i, links[i].m_jointMaxForce);
		EXPECT_EQ(150 + i, links[i].m_jointMaxVelocity);
	}
}

TEST_F(Serialize, EachLinksVelocities)
{
	write();
	for (int i = 0; i < 5; i++)
	{
		expectSame(btVector3(i, 1, 2), links[i].m_absFrameTotVelocityTop);
		expectSame(btVector3(i, 3, 4), links[i].m_absFrameTotVelocityBottom);
		expectSame(btVector3(i, 5, 6), links[i].m_absFrameLocVelocityTop);
		expectSame(btVector3(i, 7, 8), links[i].m_absFrameLocVelocityBottom);
	}
}

TEST_F(Serialize, NamesAreWrittenAndPointedTo)
{
	const char *base = "the base", *link = "a link", *joint = "a joint", *other = "another link";
	body.setBaseName(base);
	body.getLink(1).m_linkName = link;
	body.getLink(1).m_jointName = joint;
	body.getLink(3).m_linkName = other;
	const char* all[4] = {base, link, joint, other};
	for (int i = 0; i < 4; i++)
		file.registerNameForPointer(all[i], all[i]);
	write();
	EXPECT_EQ(file.getUniquePointer(const_cast<char*>(base)), data.m_baseName);
	EXPECT_EQ(file.getUniquePointer(const_cast<char*>(link)), links[1].m_linkName);
	EXPECT_EQ(file.getUniquePointer(const_cast<char*>(joint)), links[1].m_jointName);
	EXPECT_EQ(file.getUniquePointer(const_cast<char*>(other)), links[3].m_linkName);
	EXPECT_TRUE(links[3].m_jointName == 0);
	EXPECT_TRUE(links[0].m_linkName == 0);
	for (int i = 0; i < 4; i++)
		EXPECT_TRUE(file.wrote(all[i])) << all[i];
}

TEST_F(Serialize, UnknownNamesAreNull)
{
	body.setBaseName("nobody registered this");
	body.getLink(0).m_linkName = "nor this";
	body.getLink(0).m_jointName = "nor that";
	write();
	EXPECT_TRUE(data.m_baseName == 0);
	for (int i = 0; i < 5; i++)
	{
		EXPECT_TRUE(links[i].m_linkName == 0);
		EXPECT_TRUE(links[i].m_jointName == 0);
	}
	EXPECT_FALSE(file.wrote("nor this"));
}

TEST_F(Serialize, TheColliderIsPointedTo)
{
	body.getLink(1).m_collider = &collider;
	write();
	EXPECT_EQ(file.getUniquePointer(&collider), (void*)links[1].m_linkCollider);
	EXPECT_TRUE(links[1].m_linkCollider != 0);
	EXPECT_TRUE(links[0].m_linkCollider == 0);
	EXPECT_TRUE(links[2].m_linkCollider == 0);
}

TEST_F(Serialize, ThePaddingIsZero)
{
	write();
	for (size_t i = 0; i < sizeof(data.m_padding); i++)
		EXPECT_EQ(0, data.m_padding[i]);
}

TEST_F(Serialize, TheMultiBodyStays)
{
	write();
	Recorder second;
	btMultiBodyDoubleData again;
	second.startSerialization();
	body.serialize(&again, &second);
	EXPECT_EQ(0, memcmp(&again.m_baseWorldPosition, &data.m_baseWorldPosition, sizeof(data.m_baseWorldPosition)));
	EXPECT_EQ(0, memcmp(&again.m_baseWorldOrientation, &data.m_baseWorldOrientation, sizeof(data.m_baseWorldOrientation)));
	EXPECT_EQ(5, again.m_numLinks);
	expectVector(body.getBasePos(), 10, 20, 30);
	EXPECT_EQ(5, body.getNumLinks());
	EXPECT_EQ(8, body.getNumDofs());
}

int main(int argc, char** argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
