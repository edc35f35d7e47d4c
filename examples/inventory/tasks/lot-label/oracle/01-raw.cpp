// src/store/report.cpp: store::Buffer::raw
    struct strbuf *raw() { return &buffer_; }
