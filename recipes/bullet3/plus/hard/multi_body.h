/* Parts for the tests of btMultiBody. */
#ifndef MULTI_BODY_H
#define MULTI_BODY_H

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>
#include <gtest/gtest.h>

#define private public
#include "BulletDynamics/Featherstone/btMultiBody.h"
#undef private
#include "BulletDynamics/Featherstone/btMultiBodyLinkCollider.h"
#include "LinearMath/btSerializer.h"

static void expectVector(const btVector3& v, double x, double y, double z, double within = 1e-9)
{
	EXPECT_NEAR(x, v.x(), within);
	EXPECT_NEAR(y, v.y(), within);
	EXPECT_NEAR(z, v.z(), within);
}

#endif
