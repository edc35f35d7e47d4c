/*---
 * tasks: [MeshInterface.IsValid-ccfa2c]
 * tests:
 *   a new mesh is not valid: 'Docstring: valid is that "things have been setup correctly"; constructor.'
 *   with numbers and pointers it is: 'Docstring: "true if valid".'
 *   numbers without pointers are not enough: 'Docstring: "things have been setup correctly"; SetPointers.'
 *   pointers without numbers are not enough: 'Docstring: "things have been setup correctly"; GetTriangle reads none.'
 *   without triangles it is not valid: 'Docstring; SetNbTriangles; Model::Build makes no tree of nothing.'
 *   without vertices it is not valid: 'Docstring; SetNbVertices.'
 *   one triangle is enough: 'Caller Model::Build: "Special case for 1-triangle meshes".'
 *   many triangles are as good: 'Docstring: nothing limits them.'
 *   fewer vertices than triangles are as good: 'Docstring: both are set up; a mesh shares vertices.'
 *   pointers that were refused are not set: 'SetPointers fails where one of them is null.'
 *   it changes with the setup: 'Docstring: checks what has been set up.'
 *   strides and single or double change nothing: 'Docstring; SetStrides and SetSingle have defaults.'
 *   the faces themselves do not matter: 'CheckTopology is what "checks the mesh itself".'
 *   the mesh stays as it is: 'Signature: const.'
 *   a model is built of a valid mesh alone: 'Caller Model::Build refuses what is not valid.'
 ---*/
#include "Stdafx.h"
#include "ok.h"

using namespace Opcode;

static IndexedTriangle faces[2];
static Point corners[4] = {Point(0, 0, 0), Point(1, 0, 0), Point(0, 1, 0), Point(5, 5, 5)};

static void face(int i, int a, int b, int c)
{
    faces[i].mVRef[0] = a;
    faces[i].mVRef[1] = b;
    faces[i].mVRef[2] = c;
}

static bool valid(const MeshInterface &mesh) { return mesh.IsValid(); }

static bool with(udword triangles, udword vertices)
{
    MeshInterface mesh;
    mesh.SetNbTriangles(triangles);
    mesh.SetNbVertices(vertices);
    mesh.SetPointers(faces, corners);
    return valid(mesh);
}

static bool built(MeshInterface &mesh)
{
    Model model;
    OPCODECREATE create(&mesh, BuildSettings(SPLIT_SPLATTER_POINTS | SPLIT_GEOM_CENTER), true, false);
    return model.Build(create);
}

int main()
{
    face(0, 0, 1, 2);
    face(1, 1, 2, 3);
    MeshInterface none, numbers, pointers, all;
    ok("a new mesh is not valid", !valid(none));
    all.SetNbTriangles(2);
    all.SetNbVertices(4);
    all.SetPointers(faces, corners);
    ok("with numbers and pointers it is", valid(all));
    numbers.SetNbTriangles(2);
    numbers.SetNbVertices(4);
    ok("numbers without pointers are not enough", !valid(numbers));
    pointers.SetPointers(faces, corners);
    ok("pointers without numbers are not enough", !valid(pointers));
    ok("without triangles it is not valid", !with(0, 4) && !with(0, 1));
    ok("without vertices it is not valid", !with(2, 0) && !with(1, 0));
    ok("one triangle is enough", with(1, 3));
    ok("many triangles are as good", with(3, 9) && with(100000, 300000) && with(0x7fffffff, 0x7fffffff));
    ok("fewer vertices than triangles are as good", with(2, 4) && with(4, 4) && with(12, 8) && with(1000, 502));
    MeshInterface refused;
    refused.SetNbTriangles(2);
    refused.SetNbVertices(4);
    refused.SetPointers(0, corners);
    refused.SetPointers(faces, 0);
    ok("pointers that were refused are not set", !valid(refused));

    bool first = valid(all);
    all.SetNbTriangles(0);
    bool second = valid(all);
    all.SetNbTriangles(1);
    bool third = valid(all);
    all.SetNbVertices(0);
    bool fourth = valid(all);
    all.SetNbVertices(4);
    all.SetNbTriangles(2);
    pointers.SetNbVertices(4);
    bool fifth = valid(pointers);
    pointers.SetNbTriangles(2);
    numbers.SetPointers(faces, corners);
    ok("it changes with the setup", first && !second && third && !fourth && !fifth && valid(pointers) &&
       valid(numbers) && valid(all));
    all.SetStrides(sizeof(IndexedTriangle) + 4, sizeof(Point) + 8);
    all.SetSingle(false);
    none.SetStrides(sizeof(IndexedTriangle), sizeof(Point));
    none.SetSingle(true);
    ok("strides and single or double change nothing", valid(all) && !valid(none));
    all.SetStrides(sizeof(IndexedTriangle), sizeof(Point));
    all.SetSingle(true);
    face(1, 2, 2, 2);
    ok("the faces themselves do not matter", valid(all) && all.CheckTopology() == 1);
    face(1, 1, 2, 3);
    valid(all);
    ok("the mesh stays as it is", all.GetNbTriangles() == 2 && all.GetNbVertices() == 4 && all.GetTris() == faces &&
       all.GetVerts() == corners && faces[1].mVRef[2] == 3 && all.GetTriStride() == sizeof(IndexedTriangle));

    MeshInterface lacking;
    lacking.SetNbTriangles(2);
    lacking.SetPointers(faces, corners);
    bool refuses = !built(lacking);
    lacking.SetNbVertices(4);
    ok("a model is built of a valid mesh alone", built(all) && built(lacking) && refuses && !built(none));
    plan();
    return 0;
}
