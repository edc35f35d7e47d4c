/* A UI method that answers from a script in place of a terminal, and keeps what it was asked. */
#include <openssl/ui.h>

static struct {
    const char *answers[8];     /* one for each string that is read; NULL cancels */
    int asked, min[8], max[8], types[8], flags[8];
    char prompts[8][100];
} ui_script;

static int ui_read(UI *ui, UI_STRING *uis)
{
    int i = ui_script.asked++;
    const char *prompt = UI_get0_output_string(uis);

    if (i >= 8)
        return 0;
    ui_script.types[i] = UI_get_string_type(uis);
    ui_script.flags[i] = UI_get_input_flags(uis);
    ui_script.min[i] = UI_get_result_minsize(uis);
    ui_script.max[i] = UI_get_result_maxsize(uis);
    strncpy(ui_script.prompts[i], prompt == NULL ? "(none)" : prompt, 99);
    if (ui_script.answers[i] == NULL)
        return -1;
    if (UI_set_result(ui, uis, ui_script.answers[i]) < 0)
        return 0;
    if (ui_script.types[i] == UIT_VERIFY
            && strcmp(UI_get0_result_string(uis), UI_get0_test_string(uis)) != 0)
        return 0;
    return 1;
}

static UI_METHOD *ui_method;

static void ui_begin(void)
{
    ui_method = UI_create_method("script");
    UI_method_set_reader(ui_method, ui_read);
    UI_set_default_method(ui_method);
}

static void ui_end(void)
{
    UI_set_default_method(NULL);
    UI_destroy_method(ui_method);
}

/* What is typed in next: first, and for the verification. */
static void ui_type(const char *first, const char *second)
{
    memset(&ui_script, 0, sizeof(ui_script));
    ui_script.answers[0] = first;
    ui_script.answers[1] = second;
}
