/*---
 * tasks: [917B2B41B044128F]
 * tests:
 *   the field is named after the histogram:
 *     'Argument histogram_name; INFO latencystats: latency_percentiles_usec_<CMD>.'
 *   each configured percentile stands once and in its order: 'redis.conf: latency-tracking-info-percentiles.'
 *   percentiles are separated by commas alone: 'INFO latencystats: "p50=...,p99=...".'
 *   the line is ended: 'INFO: a field ends with CRLF; the caller appends the next one.'
 *   values are microseconds:
 *     'INFO latencystats: "usec"; server.c: updateCommandLatencyHistogram records nanoseconds.'
 *   a value below a microsecond is not lost: 'server.h: LATENCY_HISTOGRAM_MIN_VALUE, ">= 1 nanosec".'
 *   each value is the one of its percentile: 'Docstring: "Fill percentile distribution of latencies".'
 *   p0 is the least and p100 the greatest value: 'config.c: percentiles go from 0.0 to 100.0.'
 *   a percentile is printed as it was configured: 'redis.conf: 99.9; INFO latencystats: p99.9.'
 *   what is in info already stays in front: 'Argument info; the caller passes its text on and takes the new one.'
 *   one percentile needs no comma: 'redis.conf: latency-tracking-info-percentiles.'
 *   the histogram is left as it is: 'The caller prints the same one at each INFO.'
 ---*/
#include "../server.h"
#include "hdr_histogram.h"
#include "../testhelp.h"

sds fillPercentileDistributionLatencies(sds info, const char *histogram_name, struct hdr_histogram *histogram);

static struct hdr_histogram *h;
static double set[8];

static sds filled(const char *name, int count, const double *percentiles) {
    memcpy(set,percentiles,count*sizeof(double));
    server.latency_tracking_info_percentiles = set;
    server.latency_tracking_info_percentiles_len = count;
    return fillPercentileDistributionLatencies(sdsempty(),name,h);
}

/* The value that stands behind pNAME=, or -1. */
static double valueOf(sds s, const char *name) {
    char field[32];
    snprintf(field,sizeof(field),"p%s=",name);
    char *at = strchr(s,':');
    for (; at; at = strchr(at+1,',')) if (!strncmp(at+1,field,strlen(field))) return strtod(at+1+strlen(field),NULL);
    return -1;
}

static int near(double a, double b) {
    return a-b < 0.0011 && b-a < 0.0011;
}

int main(void) {
    hdr_init(LATENCY_HISTOGRAM_MIN_VALUE,LATENCY_HISTOGRAM_MAX_VALUE,LATENCY_HISTOGRAM_PRECISION,&h);
    for (int j = 1; j <= 1000; j++) hdr_record_value(h,j*1000L);
    hdr_record_value(h,700000000L);
    int64_t count = h->total_count;

    const double usual[] = {50, 99, 99.9};
    sds s = filled("get",3,usual);
    test_cond("the field is named after the histogram", !strncmp(s,"latency_percentiles_usec_get:",29));
    char *a = strstr(s,"p50="), *b = strstr(s,"p99="), *c = strstr(s,"p99.9=");
    test_cond("each configured percentile stands once and in its order", a && b && c && a < b && b < c &&
              !strstr(a+1,"p50="));
    int commas = 0, others = 0;
    for (char *p = strchr(s,':')+1; *p; p++) {
        if (*p == ',') commas += p[1] == 'p';
        else if (!isdigit(*p) && !strchr("p=.\r\n",*p)) others++;
    }
    test_cond("percentiles are separated by commas alone", commas == 2 && others == 0 && strchr(s,':')[1] == 'p');
    size_t len = sdslen(s);
    test_cond("the line is ended", len > 3 && !strcmp(s+len-2,"\r\n") && isdigit(s[len-3]) &&
              strchr(s,'\r') == s+len-2);
    test_cond("values are microseconds", valueOf(s,"50") > 450 && valueOf(s,"50") < 550);
    int right = 1;
    const char *names[] = {"50","99","99.9"};
    for (int j = 0; j < 3; j++)
        if (!near(valueOf(s,names[j]),hdr_value_at_percentile(h,usual[j])/1000.0)) right = 0;
    test_cond("each value is the one of its percentile", right && valueOf(s,"99") > 900 && valueOf(s,"99.9") < 1100);
    sdsfree(s);

    const double ends[] = {100, 0, 50};
    s = filled("config|set",3,ends);
    test_cond("p0 is the least and p100 the greatest value", near(valueOf(s,"0"),hdr_value_at_percentile(h,0)/1000.0) &&
              valueOf(s,"100") > 690000 && valueOf(s,"100") < 710000 && strstr(s,"_config|set:p100="));
    sdsfree(s);
    const double odd[] = {99.99, 0.1, 12.5, 10};
    s = filled("set",4,odd);
    test_cond("a percentile is printed as it was configured", strstr(s,":p99.99=") && strstr(s,",p0.1=") &&
              strstr(s,",p12.5=") && strstr(s,",p10=") && valueOf(s,"99.99") > 600000 &&
              near(valueOf(s,"12.5"),hdr_value_at_percentile(h,12.5)/1000.0));
    sdsfree(s);
    s = fillPercentileDistributionLatencies(sdsnew("# Latencystats\r\n"),"set",h);
    test_cond("what is in info already stays in front",
              !strncmp(s,"# Latencystats\r\nlatency_percentiles_usec_set:p99.99=",51));
    sdsfree(s);
    s = filled("set",1,odd);
    test_cond("one percentile needs no comma", !strchr(s,',') && valueOf(s,"99.99") > 600000);
    sdsfree(s);
    test_cond("the histogram is left as it is", h->total_count == count);

    hdr_reset(h);
    for (int j = 0; j < 10; j++) hdr_record_value(h,42);
    s = filled("ping",1,usual);
    test_cond("a value below a microsecond is not lost", valueOf(s,"50") > 0.04 && valueOf(s,"50") < 0.045);
    test_report();
    return 0;
}
