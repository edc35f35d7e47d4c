/*---
 * tasks: [hdrl_bpm_filter_list-02bd14.2]
 * tests:
 *   a dilation grows a bad pixel by the kernel: 'Docstring: "Allows the growing [...] of bad pixel masks".'
 *   the sizes of the kernel are those in x and y: 'Docstring: "size in x-direction", "size in y-direction".'
 *   an erosion shrinks: 'Docstring: "growing and shrinking"; CPL_FILTER_EROSION.'
 *   a closing fills a surrounded pixel: 'Docstring: "set pixels to bad if the pixel is surrounded".'
 *   an opening removes a lone pixel: 'Docstring: CPL_FILTER_OPENING.'
 *   pixels outside are good for an erosion: 'Docstring: "all pixels outside the mask are good".'
 *   pixels outside are good for an opening: 'The same.'
 *   a closing at the edge works on the enlarged mask: 'Docstring: "applies on the enlarged mask the operation".'
 *   a kernel of one pixel changes nothing: 'Docstring: kernel_nx and kernel_ny.'
 *   a kernel larger than the mask works: 'Docstring: "enlarges the mask by the kernel size".'
 *   the mask has its size again: 'Docstring: "extract the original-size mask at the very end".'
 *   the input mask stays: 'It is const.'
 *   no mask is refused: 'hdrl_bpm_filter has a mask to filter.'
 *   a kernel below one is refused: 'Parameter: a size.'
 *   an even kernel is refused: 'CPL: cpl_mask_filter takes odd kernels; it is centred.'
 *   other modes are refused: 'Docstring: "Supported modes".'
 *   the mask can be freed and nothing else remains: 'Docstring: "must be deallocated using cpl_mask_delete()".'
 *   each image of a list is filtered: 'Docstring: "to filter list of images".'
 *   the order of the list stays: 'The same.'
 *   values other than zero are bad: 'Masks as images (hdrl_bpm_3d.h): 0 is good.'
 *   an empty list gives an empty list: 'Docstring: "The filtered image list".'
 *   the input list stays: 'It is const.'
 *   no list is refused: 'hdrl_utils-test.c: CPL_ERROR_NULL_INPUT and NULL.'
 *   a list has the modes and kernels of a mask: 'Docstring: "Wrapper around hdrl_bpm_filter()".'
 *   a refused list leaves nothing behind: 'It returns NULL.'
 *   the list can be freed and nothing else remains: 'The caller owns "the filtered image list".'
 ---*/
#include "plus.h"
#include "hdrl_bpm_utils.h"

/* A mask of these rows, '#' is bad. The first row has y = 1. */
static cpl_mask *mask_of(int nx, int ny, const char *pixels)
{
    cpl_mask *mask = cpl_mask_new(nx, ny);
    int i;

    for (i = 0; i < nx * ny; i++)
        cpl_mask_set(mask, i % nx + 1, i / nx + 1, pixels[i] == '#' ? CPL_BINARY_1 : CPL_BINARY_0);
    return mask;
}

static int mask_is(const cpl_mask *mask, int nx, int ny, const char *pixels)
{
    int i, good = mask && cpl_mask_get_size_x(mask) == nx && cpl_mask_get_size_y(mask) == ny;

    for (i = 0; good && i < nx * ny; i++)
        good = !cpl_mask_get(mask, i % nx + 1, i / nx + 1) == (pixels[i] != '#');
    return good;
}

static int filters(int nx, int ny, const char *pixels, int kx, int ky, cpl_filter_mode mode, const char *wanted)
{
    cpl_mask *mask = mask_of(nx, ny, pixels), *out = hdrl_bpm_filter(mask, kx, ky, mode);
    int good = error() == 0 && mask_is(out, nx, ny, wanted) && mask_is(mask, nx, ny, pixels);

    cpl_mask_delete(out);
    cpl_mask_delete(mask);
    return good;
}

static cpl_image *image_of(int nx, int ny, const char *pixels, cpl_type type, double bad)
{
    cpl_image *image = cpl_image_new(nx, ny, type);
    int i;

    for (i = 0; i < nx * ny; i++)
        cpl_image_set(image, i % nx + 1, i / nx + 1, pixels[i] == '#' ? bad : 0);
    return image;
}

static int image_is(const cpl_image *image, int nx, int ny, const char *pixels)
{
    int i, rejected, good = image && cpl_image_get_size_x(image) == nx && cpl_image_get_size_y(image) == ny;

    for (i = 0; good && i < nx * ny; i++)
        good = cpl_image_get(image, i % nx + 1, i / nx + 1, &rejected) == (pixels[i] == '#');
    return good;
}

#define DOT "......." "......." "......." "...#..." "......." "......." "......."
#define RING "......." "......." "..###.." "..#.#.." "..###.." "......." "......."
#define BLOCK "......." "......." "..###.." "..###.." "..###.." "......." "......."
#define FULL "####" "####" "####"

int main(void)
{
    cpl_imagelist *in, *out;
    cpl_mask *mask, *made;
    const char *two = "......." "......." "......." "...#..." "......." "......." "#......";
    long live;
    int good, j;

    begin();
    check("a dilation grows a bad pixel by the kernel", filters(7, 7, DOT, 3, 3, CPL_FILTER_DILATION, BLOCK));
    good = filters(7, 7, DOT, 5, 1, CPL_FILTER_DILATION,
                   "......." "......." "......." ".#####." "......." "......." ".......");
    good = good && filters(7, 7, DOT, 1, 3, CPL_FILTER_DILATION,
                           "......." "......." "...#..." "...#..." "...#..." "......." ".......");
    good = good && filters(3, 5, "..." "..." ".#." "..." "...", 1, 5, CPL_FILTER_DILATION,
                           ".#." ".#." ".#." ".#." ".#.");
    check("the sizes of the kernel are those in x and y", good);
    good = filters(7, 7, BLOCK, 3, 3, CPL_FILTER_EROSION, DOT) && filters(7, 7, BLOCK, 3, 1, CPL_FILTER_EROSION,
                   "......." "......." "...#..." "...#..." "...#..." "......." ".......");
    check("an erosion shrinks", good);
    good = filters(7, 7, RING, 3, 3, CPL_FILTER_CLOSING, BLOCK) && filters(7, 7, DOT, 3, 3, CPL_FILTER_CLOSING, DOT);
    check("a closing fills a surrounded pixel", good);
    good = filters(7, 7, "......." "......." "..###.." "..###.." "..###.." "......." "......#", 3, 3,
                   CPL_FILTER_OPENING, BLOCK);
    check("an opening removes a lone pixel", good);
    check("pixels outside are good for an erosion", filters(4, 3, FULL, 3, 3, CPL_FILTER_EROSION,
                                                            "...." ".##." "...."));
    good = filters(4, 3, "##.." "##.." "....", 3, 3, CPL_FILTER_OPENING, "...." "...." "....") &&
           filters(4, 3, FULL, 3, 3, CPL_FILTER_OPENING, FULL);
    check("pixels outside are good for an opening", good);
    good = filters(4, 3, "#.#." "...." "....", 3, 3, CPL_FILTER_CLOSING, "###." "...." "....") &&
           filters(4, 3, FULL, 3, 3, CPL_FILTER_CLOSING, FULL) &&
           filters(4, 3, "#..." "...." "...#", 3, 3, CPL_FILTER_CLOSING, "#..." "...." "...#") &&
           filters(4, 3, "#..#" "...." "....", 5, 5, CPL_FILTER_CLOSING, "####" "...." "....");
    check("a closing at the edge works on the enlarged mask", good);
    good = filters(7, 7, RING, 1, 1, CPL_FILTER_EROSION, RING) && filters(7, 7, RING, 1, 1, CPL_FILTER_DILATION, RING);
    good = good && filters(7, 7, RING, 1, 1, CPL_FILTER_OPENING, RING) &&
           filters(7, 7, RING, 1, 1, CPL_FILTER_CLOSING, RING);
    check("a kernel of one pixel changes nothing", good);
    good = filters(4, 3, "#..." "...." "....", 9, 7, CPL_FILTER_DILATION, FULL) &&
           filters(4, 3, FULL, 9, 7, CPL_FILTER_CLOSING, FULL) &&
           filters(4, 3, FULL, 9, 7, CPL_FILTER_EROSION, "...." "...." "....") &&
           filters(1, 1, "#", 3, 5, CPL_FILTER_CLOSING, "#");
    check("a kernel larger than the mask works", good);
    good = filters(5, 2, "#...." ".....", 3, 1, CPL_FILTER_DILATION, "##..." ".....") &&
           filters(2, 5, ".." ".." ".." ".." ".#", 1, 3, CPL_FILTER_DILATION, ".." ".." ".." ".#" ".#");
    check("the mask has its size again", good);
    mask = mask_of(7, 7, RING);
    cpl_mask_delete(hdrl_bpm_filter(mask, 5, 3, CPL_FILTER_DILATION));
    cpl_mask_delete(hdrl_bpm_filter(mask, 3, 3, CPL_FILTER_EROSION));
    check("the input mask stays", mask_is(mask, 7, 7, RING));
    good = hdrl_bpm_filter(NULL, 3, 3, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_NULL_INPUT;
    check("no mask is refused", good);
    good = hdrl_bpm_filter(mask, 0, 3, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter(mask, 3, 0, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter(mask, -1, 3, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter(mask, 3, -1, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT;
    check("a kernel below one is refused", good);
    good = hdrl_bpm_filter(mask, 2, 3, CPL_FILTER_DILATION) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter(mask, 3, 4, CPL_FILTER_DILATION) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT;
    check("an even kernel is refused", good);
    good = hdrl_bpm_filter(mask, 3, 3, CPL_FILTER_MEDIAN) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter(mask, 3, 3, CPL_FILTER_AVERAGE) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT;
    check("other modes are refused", good);
    live = plus_live;
    made = hdrl_bpm_filter(mask, 3, 3, CPL_FILTER_CLOSING);
    good = made != NULL;
    cpl_mask_delete(made);
    check("the mask can be freed and nothing else remains", good && plus_live == live);
    cpl_mask_delete(mask);

    in = cpl_imagelist_new();
    cpl_imagelist_set(in, image_of(7, 7, DOT, CPL_TYPE_INT, 1), 0);
    cpl_imagelist_set(in, image_of(7, 7, two, CPL_TYPE_INT, 1), 1);
    cpl_imagelist_set(in, image_of(7, 7, RING, CPL_TYPE_INT, 1), 2);
    live = plus_live;
    out = hdrl_bpm_filter_list(in, 3, 1, CPL_FILTER_DILATION);
    good = out && error() == 0 && cpl_imagelist_get_size(out) == 3;
    for (j = 0; good && j < 3; j++) {
        static const char *wanted[3] = {
            "......." "......." "......." "..###.." "......." "......." ".......",
            "......." "......." "......." "..###.." "......." "......." "##.....",
            "......." "......." ".#####." ".#####." ".#####." "......." "......."};

        if (j == 0)
            check("each image of a list is filtered", image_is(cpl_imagelist_get(out, 0), 7, 7, wanted[0]));
        good = image_is(cpl_imagelist_get(out, j), 7, 7, wanted[j]);
    }
    check("the order of the list stays", good);
    cpl_imagelist_delete(out);
    good = plus_live == live;
    check("the input list stays", cpl_imagelist_get_size(in) == 3 && image_is(cpl_imagelist_get(in, 0), 7, 7, DOT) &&
          image_is(cpl_imagelist_get(in, 1), 7, 7, two) && image_is(cpl_imagelist_get(in, 2), 7, 7, RING));
    check("the list can be freed and nothing else remains", good);
    good = hdrl_bpm_filter_list(NULL, 3, 3, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_NULL_INPUT;
    check("no list is refused", good);
    live = plus_live;
    good = hdrl_bpm_filter_list(in, 3, 3, CPL_FILTER_MEDIAN) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter_list(in, 2, 3, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT &&
           hdrl_bpm_filter_list(in, 3, 0, CPL_FILTER_CLOSING) == NULL && error() == CPL_ERROR_ILLEGAL_INPUT;
    check("a list has the modes and kernels of a mask", good);
    check("a refused list leaves nothing behind", plus_live == live);
    cpl_imagelist_delete(in);
    in = cpl_imagelist_new();
    out = hdrl_bpm_filter_list(in, 3, 3, CPL_FILTER_DILATION);
    check("an empty list gives an empty list", out && error() == 0 && cpl_imagelist_get_size(out) == 0);
    cpl_imagelist_delete(out);
    cpl_imagelist_set(in, image_of(7, 7, DOT, CPL_TYPE_DOUBLE, 4), 0);
    out = hdrl_bpm_filter_list(in, 3, 3, CPL_FILTER_DILATION);
    good = out && error() == 0 && image_is(cpl_imagelist_get(out, 0), 7, 7, BLOCK);
    cpl_imagelist_delete(out);
    cpl_imagelist_delete(in);
    in = cpl_imagelist_new();
    cpl_imagelist_set(in, image_of(7, 7, DOT, CPL_TYPE_INT, -1), 0);
    out = hdrl_bpm_filter_list(in, 3, 3, CPL_FILTER_DILATION);
    good = good && out && error() == 0 && image_is(cpl_imagelist_get(out, 0), 7, 7, BLOCK);
    check("values other than zero are bad", good);
    cpl_imagelist_delete(out);
    cpl_imagelist_delete(in);
    return checked();
}
