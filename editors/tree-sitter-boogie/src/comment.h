// Comments `/* ... */`, which nest, and which a regular expression can therefore not describe. Both grammars have them.

#include "tree_sitter/parser.h"

enum Token { BLOCK_COMMENT };

static bool scan_comment(TSLexer *lexer, const bool *valid_symbols) {
  if (!valid_symbols[BLOCK_COMMENT]) return false;
  while (lexer->lookahead == ' ' || (lexer->lookahead >= '\t' && lexer->lookahead <= '\r') ||
         lexer->lookahead == 0xFEFF) {
    lexer->advance(lexer, true);
  }
  if (lexer->lookahead != '/') return false;
  lexer->advance(lexer, false);
  if (lexer->lookahead != '*') return false;
  lexer->advance(lexer, false);

  unsigned depth = 1;
  while (depth > 0) {
    if (lexer->eof(lexer)) return false; // never closed
    int32_t before = lexer->lookahead;
    lexer->advance(lexer, false);
    if (before == '/' && lexer->lookahead == '*') {
      depth++;
      lexer->advance(lexer, false);
    } else if (before == '*' && lexer->lookahead == '/') {
      depth--;
      lexer->advance(lexer, false);
    }
  }
  lexer->mark_end(lexer);
  lexer->result_symbol = BLOCK_COMMENT;
  return true;
}
