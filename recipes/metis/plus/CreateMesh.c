/*---
 * tasks: [CreateMesh-781324]
 * tests:
 *   a mesh is created: 'Docstring: "creates and initializes a mesh_t structure".'
 *   it has room for a mesh_t: 'Docstring: "a mesh_t structure".'
 *   it has no elements and no nodes: 'Docstring: "initializes"; InitMesh.'
 *   it has no constraints: 'Docstring: "initializes"; InitMesh; io.c sets what the file holds.'
 *   it has no arrays: 'Docstring: "initializes"; FreeMesh frees the arrays that are there.'
 *   used memory is initialized, too: 'Docstring: "initializes".'
 *   each call makes a mesh of its own: 'Docstring: "creates".'
 *   a later mesh leaves an earlier one: 'Docstring: "creates".'
 *   a fresh mesh can be freed: 'FreeMesh "deallocates any memory stored in a mesh".'
 *   freed meshes leave nothing: 'FreeMesh frees the mesh itself.'
 *   its memory is counted by GKlib: 'memory.c: gk_free of other memory "fails violently" between init and cleanup.'
 *   FreeMesh works between init and cleanup: 'memory.c: gk_free takes the memory out of the list.'
 ---*/
#include "plus.h"

static int empty(mesh_t *m) {
    return m->ne == 0 && m->nn == 0 && m->ncon == 0 && !m->eptr && !m->eind && !m->ewgt;
}

int main(void) {
    void *dirty[64];
    for (int i = 0; i < 64; i++) memset(dirty[i] = malloc(sizeof(mesh_t)), 0xa5, sizeof(mesh_t));
    for (int i = 0; i < 64; i++) free(dirty[i]);
    mesh_t *a = CreateMesh();
    ok("a mesh is created", a != NULL);
    if (!a) return 1;
    int room = has(a, sizeof(mesh_t));
    ok("it has room for a mesh_t", room);
    if (!room) return 1;
    ok("it has no elements and no nodes", a->ne == 0 && a->nn == 0);
    ok("it has no constraints", a->ncon == 0);
    ok("it has no arrays", a->eptr == NULL && a->eind == NULL && a->ewgt == NULL);
    mesh_t *more[80];
    int all = 1, apart = 1;
    a->ne = 12;
    a->eptr = gk_malloc(40, "eptr");
    for (int i = 0; i < 80; i++) {
        more[i] = CreateMesh();
        all &= empty(more[i]);
        apart &= more[i] != a;
        for (int j = 0; j < i; j++) apart &= more[i] != more[j];
    }
    ok("used memory is initialized, too", all);
    ok("each call makes a mesh of its own", apart);
    ok("a later mesh leaves an earlier one", a->ne == 12 && a->eptr != NULL && a->nn == 0);
    if (!apart) return 1;
    for (int i = 0; i < 80; i++) FreeMesh(&more[i]);
    FreeMesh(&a);
    ok("a fresh mesh can be freed", a == NULL && more[0] == NULL);
    size_t before = held();
    for (int i = 0; i < 500; i++) {
        a = CreateMesh();
        FreeMesh(&a);
    }
    ok("freed meshes leave nothing", held() < before + 4096);

    int number;
    gk_malloc_init();
    size_t used = gk_GetCurMemoryUsed();
    a = CreateMesh();
    ok("its memory is counted by GKlib", gk_GetCurMemoryUsed() >= used + sizeof(mesh_t));
    SIGNAL_OF(number, FreeMesh(&a));
    ok("FreeMesh works between init and cleanup", number == 0 && gk_GetCurMemoryUsed() == used);
    gk_malloc_cleanup(0);
    return done();
}
