/*---
 * tasks: [memoryCommand-606e0f.8]
 * tests:
 *   without cluster support each is an error: 'Upstream: "This instance has cluster support disabled"; server.h: cluster_enabled.'
 *   KEYSLOT gives the hash slot: 'clusterCommandHelp: "Return the hash slot for <key>"; keyHashSlot.'
 *   KEYSLOT minds hash tags and any bytes: 'keyHashSlot.'
 *   COUNTKEYSINSLOT counts: 'clusterCommandHelp: "Return the number of keys in <slot>".'
 *   COUNTKEYSINSLOT of another slot is an error: 'CLUSTER_SLOTS; commands/cluster-countkeysinslot.'
 *   GETKEYSINSLOT gives the keys: 'clusterCommandHelp: "Return key names stored by current node in a slot".'
 *   GETKEYSINSLOT gives not more than it is asked for: 'commands/cluster-getkeysinslot: count.'
 *   GETKEYSINSLOT gives not more than there are: 'commands/cluster-getkeysinslot.'
 *   GETKEYSINSLOT of another slot or number is an error: 'commands/cluster-getkeysinslot.'
 *   no integer is an error: 'getLongLongFromObjectOrReply.'
 *   NODES describes the nodes: 'clusterCommandHelp: "Return cluster configuration seen by node".'
 *   INFO gives the information: 'clusterCommandHelp: "Return information about the cluster".'
 *   both are verbatim text: 'addReplyVerbatim; upstream: txt.'
 *   MYID and MYSHARDID give theirs: 'clusterCommandMyId, clusterCommandMyShardId.'
 *   SLOTS and SHARDS give theirs: 'clusterCommandSlots, clusterCommandShards.'
 *   REPLICAS describes the replicas of a node: 'clusterCommandHelp: "Return <node-id> replicas".'
 *   SLAVES is the same: 'commands/cluster-slaves: the old name.'
 *   REPLICAS of an unknown node is an error: 'commands/cluster-replicas.'
 *   REPLICAS of a replica is an error: 'commands/cluster-replicas: "the specified node is not a master".'
 *   the rest is done by clusterCommandSpecial: 'cluster_legacy.c: it gives 1 for what it knows.'
 *   HELP helps: 'clusterCommandHelp.'
 *   subcommands are known in any case: 'Upstream: strcasecmp of every subcommand.'
 *   unknown words and numbers of arguments are syntax errors: 'addReplySubcommandSyntaxError.'
 *   each gives one reply: 'A command has one reply.'
 *   nothing is left behind: 'Descriptions are freed.'
 ---*/
#include "clustertest.h"

static const char *words(const char *text) {
    int n;
    sds *w = sdssplitargs(text,&n);
    freeClientArgv(c);
    c->argv = zmalloc(sizeof(robj*)*(n+1));
    c->argv_len = c->argc = n+1;
    c->argv[0] = createStringObject("cluster",7);
    for (int j = 0; j < n; j++) c->argv[j+1] = createStringObject(w[j],sdslen(w[j]));
    sdsfreesplitres(w,n);
    c->cmd = c->realcmd = c->lastcmd = lookupCommandByCString("cluster");
    clusterCommand(c);
    return reply();
}

static int is(const char *text, const char *want) {
    int same = !strcmp(words(text),want);
    if (!same) printf("# %s: %s\n",text,lastReply);
    return same;
}

static int fails(const char *text, const char *inside) {
    words(text);
    int same = lastReply[0] == '-' && strchr(lastReply,'\n') == lastReply+strlen(lastReply)-1 && strstr(lastReply,inside);
    if (!same) printf("# %s: %s\n",text,lastReply);
    return same;
}

/* Whether it's one bulk string, or verbatim one, that has these words inside. */
static int bulk(const char *text, const char *a, const char *b) {
    words(text);
    char *end;
    long len = strtol(lastReply+1,&end,10);
    return (lastReply[0] == '$' || lastReply[0] == '=') && strlen(end) == (size_t)len+4 && strstr(end,a) && strstr(end,b);
}

/* How many keys were given, all of them among k1 to k5 and no two the same; -1 otherwise. */
static int keys(const char *text) {
    words(text);
    int n = atoi(lastReply+1), found = 0;
    size_t len = strchr(lastReply,'\n')-lastReply+1;
    for (int j = 1; j <= 5; j++) {
        char key[40];
        sprintf(key,"$6\r\n{t}-k%d\r\n",j);
        char *at = strstr(lastReply,key);
        if (at) found++, len += strlen(key);
        if (at && strstr(at+1,key)) return -1;
    }
    return lastReply[0] == '*' && found == n && strlen(lastReply) == len ? n : -1;
}

int main(void) {
    startCluster();
    server.cluster_enabled = 0;
    test_cond("without cluster support each is an error", fails("info","cluster support disabled") &&
              fails("keyslot a","cluster support disabled") && fails("help","cluster support disabled"));
    server.cluster_enabled = 1;
    test_cond("KEYSLOT gives the hash slot", is("keyslot foo",":12182\r\n") && is("keyslot \"\"",":0\r\n") &&
              is("keyslot 123456789",":12739\r\n"));
    char a[40], b[40];
    strcpy(a,words("keyslot x{t}y"));
    strcpy(b,words("keyslot t"));
    int tags = !strcmp(a,b);
    strcpy(a,words("keyslot \"foo\\x00bar\""));
    sprintf(b,":%u\r\n",keyHashSlot("foo\0bar",7));
    test_cond("KEYSLOT minds hash tags and any bytes", tags && !strcmp(a,b) && strcmp(a,":12182\r\n"));
    char count[40], get[40], more[60], five[60];
    int slot = keyHashSlot("t",1);
    sprintf(count,"countkeysinslot %d",slot);
    int none = is(count,":0\r\n");
    for (int j = 1; j <= 5; j++) {
        char key[20];
        sprintf(key,"{t}-k%d",j);
        put(key,"v",-1);
    }
    put("elsewhere","v",-1);
    test_cond("COUNTKEYSINSLOT counts", none && is(count,":5\r\n") && is("countkeysinslot 0",":0\r\n") &&
              is("countkeysinslot 16383",":0\r\n"));
    test_cond("COUNTKEYSINSLOT of another slot is an error", fails("countkeysinslot -1","Invalid slot") &&
              fails("countkeysinslot 16384","Invalid slot") && fails("countkeysinslot 4294967296","Invalid slot"));
    sprintf(get,"getkeysinslot %d 3",slot);
    sprintf(five,"getkeysinslot %d 5",slot);
    sprintf(more,"getkeysinslot %d 9223372036854775807",slot);
    test_cond("GETKEYSINSLOT gives the keys", keys(five) == 5);
    int fewer = keys(get) == 3;
    sprintf(get,"getkeysinslot %d 1",slot);
    fewer &= keys(get) == 1;
    sprintf(get,"getkeysinslot %d 0",slot);
    test_cond("GETKEYSINSLOT gives not more than it is asked for", fewer && is(get,"*0\r\n"));
    sprintf(get,"getkeysinslot %d 6",slot);
    test_cond("GETKEYSINSLOT gives not more than there are", keys(more) == 5 && keys(get) == 5 &&
              is("getkeysinslot 16383 10","*0\r\n") && is("getkeysinslot 0 10","*0\r\n"));
    sprintf(get,"getkeysinslot %d -1",slot);
    test_cond("GETKEYSINSLOT of another slot or number is an error", fails(get,"Invalid slot or number of keys") &&
              fails("getkeysinslot -1 5","Invalid slot or number of keys") &&
              fails("getkeysinslot 16384 5","Invalid slot or number of keys"));
    test_cond("no integer is an error", fails("countkeysinslot x","not an integer") &&
              fails("getkeysinslot x 5","not an integer") && fails("getkeysinslot 5 x","not an integer"));

    clusterNode *me = server.cluster->myself, *m = nodeOf('1',CLUSTER_NODE_MASTER);
    slaveOf('2',m);
    slaveOf('3',m);
    own(m,5,9);
    char name[41] = "";
    memcpy(name,me->name,40);
    test_cond("NODES describes the nodes", bulk("nodes",name,"1111111111111111111111111111111111111111") &&
              strstr(lastReply,"myself,master") && strstr(lastReply,"10.0.0.2:7002") && strstr(lastReply," 5-9\n"));
    int info = bulk("info","cluster_state:","cluster_known_nodes:4\r\n");
    test_cond("INFO gives the information", info && strstr(lastReply,"cluster_slots_assigned:"));
    c->resp = 3;
    int verbatim = bulk("info","txt:cluster_state:","cluster_known_nodes:4") && lastReply[0] == '=';
    verbatim &= bulk("nodes","txt:","myself,master") && lastReply[0] == '=';
    c->resp = 2;
    test_cond("both are verbatim text", verbatim);
    char want[60], shard[41] = "";
    sprintf(want,"$40\r\n%s\r\n",name);
    int id = is("myid",want);
    memcpy(shard,me->shard_id,40);
    sprintf(want,"$40\r\n%s\r\n",shard);
    test_cond("MYID and MYSHARDID give theirs", id && is("myshardid",want) && strcmp(shard,name));
    char slots[2000];
    clusterCommandSlots(c);
    strcpy(slots,reply());
    int theirs = is("slots",slots) && !strncmp(slots,"*1\r\n*5\r\n:5\r\n:9\r\n",16);
    words("shards");
    test_cond("SLOTS and SHARDS give theirs", theirs && lastReply[0] == '*' && strstr(lastReply,"slots") &&
              strstr(lastReply,"nodes"));
#define ID(n) #n #n #n #n #n #n #n #n #n #n
    words("replicas " ID(1111));
    int replicas = !strncmp(lastReply,"*2\r\n$",5) && strstr(lastReply,ID(2222) " 10.0.0.2:7002") &&
                   strstr(lastReply,ID(3333) " 10.0.0.3:7003") && strstr(lastReply,"slave " ID(1111));
    char before[4000];
    strcpy(before,lastReply);
    sprintf(want,"replicas %s",name);
    test_cond("REPLICAS describes the replicas of a node", replicas && is(want,"*0\r\n"));
    test_cond("SLAVES is the same", is("slaves " ID(1111),before));
    test_cond("REPLICAS of an unknown node is an error", fails("replicas " ID(7777),"Unknown node " ID(7777)) &&
              fails("replicas abc","Unknown node abc") && fails("slaves " ID(7777),"Unknown node"));
    test_cond("REPLICAS of a replica is an error", fails("replicas " ID(2222),"not a master"));
    int special = is("addslots 100 101","+OK\r\n") && me->numslots == 2 && fails("addslots 100","already busy");
    test_cond("the rest is done by clusterCommandSpecial", special && is("delslots 100 101","+OK\r\n") && me->numslots == 0 &&
              is("count-failure-reports " ID(1111),":0\r\n"));
    words("help");
    test_cond("HELP helps", lastReply[0] == '*' && strstr(lastReply,"KEYSLOT") && strstr(lastReply,"GETKEYSINSLOT"));
    sprintf(want,"$40\r\n%s\r\n",name);
    test_cond("subcommands are known in any case", is("MYID",want) && is("KeySlot foo",":12182\r\n") &&
              is("SLOTS",slots) && is("Replicas " ID(1111),before) && words("HELP")[0] == '*' &&
              is("COUNTKEYSINSLOT 16383",":0\r\n") && is("GetKeysInSlot 16383 1","*0\r\n") && bulk("INFO","cluster_state:",""));
    const char *syntax = "unknown subcommand or wrong number of arguments for";
    test_cond("unknown words and numbers of arguments are syntax errors", fails("nosuch",syntax) && fails("myid x",syntax) &&
              fails("nodes x",syntax) && fails("info x",syntax) && fails("slots x",syntax) && fails("shards x",syntax) &&
              fails("keyslot",syntax) && fails("keyslot a b",syntax) && fails("countkeysinslot",syntax) &&
              fails("countkeysinslot 1 2",syntax) && fails("getkeysinslot 1",syntax) && fails("getkeysinslot 1 2 3",syntax) &&
              fails("replicas",syntax) && fails("replicas a b",syntax) && fails("help x",syntax) && fails("myshardid x",syntax) &&
              strstr(lastReply,"Try CLUSTER HELP."));
    test_cond("each gives one reply", fails("countkeysinslot 16384","Invalid") && fails("getkeysinslot x x","not an integer") &&
              fails("replicas " ID(7777),"Unknown") && fails("replicas " ID(2222),"not a master") && fails("nosuch",syntax));
    size_t used = 0;
    for (int j = 0; j < 20; j++) {
        if (j == 5) used = zmalloc_used_memory();
        words("nodes");
        words("info");
        words("replicas " ID(1111));
        words("replicas " ID(7777));
        words(five);
        words("keyslot foo");
        words("slots");
    }
    test_cond("nothing is left behind", zmalloc_used_memory() == used);
    endCluster();
    return 0;
}
