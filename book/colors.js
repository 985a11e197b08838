// Colours for listings in the languages of ult, which highlight.js, mdBook's way to colours, does not know.
(() => {
  const keywords = {
    keyword:
      'type const function axiom var procedure implementation datatype unique extends complete uses returns where free ' +
      'requires ensures modifies invariant assert assume havoc call async par while break return goto yield if then else ' +
      'old forall exists lambda div mod is graph init location error local let',
    literal: 'true false',
    type: 'bool int real',
  };
  const comment = hljs.COMMENT('/\\*', '\\*/', { contains: ['self'] });
  const language = () => ({
    keywords: { ...keywords, $pattern: /[A-Za-z_~#$^.?][\w~#$^.?]*/ },
    contains: [
      hljs.C_LINE_COMMENT_MODE,
      comment,
      { className: 'string', begin: '"', end: '"', contains: [{ begin: /\\["\\]/ }] },
      { className: 'meta', begin: /\{:\s*\w+/ },
      { className: 'number', begin: /\b\d+(bv\d+|\.\d+)?\b/ },
      { beginKeywords: 'procedure implementation function graph', end: /(?=[({;<\[])/, contains: [{ className: 'title', begin: /[A-Za-z_~#$^.?][\w~#$^.?]*/ }, { className: 'meta', begin: /\{:/, end: /\}/ }] },
    ],
  });
  const clauses = () => ({
    keywords: {
      keyword: 'set-logic declare-fun assert check-sat forall exists let not and or => ite',
      literal: 'true false',
      type: 'Bool Int Real HORN',
      $pattern: /[A-Za-z=>-]+/,
    },
    contains: [hljs.COMMENT(';', '$'), { className: 'number', begin: /\b\d+\b/ }],
  });
  hljs.registerLanguage('bpl', language);
  hljs.registerLanguage('ult', language);
  hljs.registerLanguage('smt2', clauses);
  for (const name of ['bpl', 'ult', 'smt2']) {
    for (const block of document.querySelectorAll(`code.language-${name}`)) {
      // What stands behind the fence, such as `safe file=a.bpl`, is for the tests; here it would be taken for a language.
      block.className = `language-${name}`;
      hljs.highlightBlock(block);
    }
  }
})();
