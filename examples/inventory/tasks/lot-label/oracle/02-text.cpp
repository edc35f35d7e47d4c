// src/store/report.cpp: store::Buffer::text
    std::string text() const { return std::string(strbuf_text(&buffer_), buffer_.length); }
