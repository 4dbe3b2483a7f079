/** Reads the exports of the package's entries and their doc comments, with the API of the TypeScript compiler. */

import { relative, join } from 'node:path';
import ts from 'typescript-6';

/** Kinds in the order in which an entry's page lists them. */
export const KINDS = ['function', 'class', 'interface', 'type', 'constant'];

/**
 * The exports of each entry: `{ name, folder, text, symbols }`. An exported namespace becomes an entry of its own,
 * after the entry that exports it.
 */
export function readEntries(root, list) {
  const configFile = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...configFile.config, include: [], files: [] }, ts.sys, root);
  const files = list.map(({ source }) => join(root, source));
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const homes = new Map();
  const entries = [];
  for (const { name, source, folder } of list) {
    const file = program.getSourceFile(join(root, source));
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(file));
    readEntry({ name, folder, text: [openingComment(file), ...exportComments(file)].join('\n\n') }, exported);
  }
  return entries;

  function readEntry({ name, folder, text }, exported) {
    const symbols = [];
    const namespaces = [];
    entries.push({ name, folder, text, symbols });
    for (const alias of exported) {
      const symbol = resolve(alias);
      if (symbol.flags & ts.SymbolFlags.ValueModule) namespaces.push([alias.name, symbol]);
      else symbols.push(readSymbol(alias.name, symbol, folder));
    }
    symbols.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || compareNames(a.name, b.name));
    for (const [inner, module] of namespaces) {
      const file = module.valueDeclaration;
      const space = { name: `${name}: ${inner}`, folder: `${folder}/${inner}`, text: openingComment(file) };
      readEntry(space, checker.getExportsOfModule(module));
    }
  }

  function resolve(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  function readSymbol(name, symbol, folder) {
    if (!homes.has(symbol)) homes.set(symbol, folder);
    const home = homes.get(symbol);
    const found = { name, home, ...describe(symbol), ...docsOf(symbol) };
    const inline = found.kind === 'type' || found.kind === 'constant';
    return {
      ...found,
      page: inline ? undefined : `${home}/${name}.md`,
      url: inline ? `/api/${home}/#${name.toLowerCase()}` : `/api/${home}/${name}`,
    };
  }

  /** A symbol's kind, its signatures as text, and its members. */
  function describe(symbol) {
    const declaration = symbol.valueDeclaration ?? symbol.declarations[0];
    const type = typeOf(symbol, declaration);
    if (symbol.flags & ts.SymbolFlags.Class) {
      const signatures = [headOf(declaration, 'class'), ...constructorsOf(symbol, declaration)];
      return { kind: 'class', signatures, members: membersOf(type) };
    }
    if (symbol.flags & ts.SymbolFlags.Interface) {
      return { kind: 'interface', signatures: [headOf(declaration, 'interface')], members: membersOf(type) };
    }
    const calls = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
    if (symbol.flags & ts.SymbolFlags.Value && calls.length > 0) {
      return { kind: 'function', signatures: signaturesOf(symbol.name, symbol, calls, 'function '), members: [] };
    }
    if (symbol.flags & ts.SymbolFlags.Value) {
      const alias = symbol.declarations.find(ts.isTypeAliasDeclaration);
      const head = isNested(type) ? `const ${textOf(declaration)}` : `const ${symbol.name}: ${valueTypeText(type)}`;
      const members = isPlainObject(type) && !isNested(type) ? membersOf(type) : [];
      const signatures = [...(members.length > 0 ? [] : [head]), ...(alias ? [textOf(alias)] : [])];
      return { kind: 'constant', signatures, members };
    }
    return { kind: 'type', signatures: [textOf(declaration)], members: [] };
  }

  function typeOf(symbol, declaration) {
    if (symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))
      return checker.getDeclaredTypeOfSymbol(symbol);
    return checker.getTypeOfSymbolAtLocation(symbol, declaration);
  }

  /** Type of a constant. A long string constant has the type `string` here, not its content. */
  function valueTypeText(type) {
    const isLongText = type.isStringLiteral() && type.value.length > 40;
    return isLongText ? 'string' : checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  }

  function isPlainObject(type) {
    return Boolean(type.flags & ts.TypeFlags.Object) && !checker.isArrayLikeType(type);
  }

  /** Whether a constant is an object of objects. Its source text is then more useful than its type. */
  function isNested(type) {
    const members = isPlainObject(type) ? checker.getPropertiesOfType(type) : [];
    return members.some((member) => isPlainObject(checker.getTypeOfSymbol(member)));
  }

  /**
   * The members declared in this repository, including inherited ones. Members of the language's own types have no
   * page.
   */
  function membersOf(type) {
    return checker.getPropertiesOfType(type).filter(isOwn).map(readMember);
  }

  function isOwn(symbol) {
    return symbol.declarations?.some((declaration) => {
      const path = relative(root, declaration.getSourceFile().fileName);
      return !path.startsWith('..') && !path.includes('node_modules');
    });
  }

  function readMember(symbol) {
    const declaration = symbol.valueDeclaration ?? symbol.declarations[0];
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    const isOptional = Boolean(symbol.flags & ts.SymbolFlags.Optional);
    const name = memberName(symbol, declaration);
    const calls = checker.getSignaturesOfType(type, ts.SignatureKind.Call);
    const isMethod = calls.length > 0 && (symbol.flags & ts.SymbolFlags.Method || ts.isMethodSignature(declaration));
    if (isMethod) {
      return { name, isOptional, signatures: signaturesOf(name, symbol, calls, ''), ...docsOf(symbol) };
    }
    const declared = declaration.type;
    const text = declared ? oneLine(textOf(declared)) : checker.typeToString(type);
    return { name, isOptional, type: text, ...docsOf(symbol) };
  }

  /** The signatures, as in the source if they are declared there, so that names of types stay as written. */
  function signaturesOf(name, symbol, calls, prefix) {
    const declarations = calls.map((call) => call.declaration);
    const withBody = (declaration) => Boolean(declaration.body) && calls.length > 1;
    return declarations
      .filter((declaration) => declaration && !withBody(declaration))
      .map((declaration) => {
        const parameters = declaration.parameters.map(textOf);
        const generics = declaration.typeParameters ? `<${declaration.typeParameters.map(textOf).join(', ')}>` : '';
        const returns = declaration.type
          ? textOf(declaration.type)
          : checker.typeToString(checker.getSignatureFromDeclaration(declaration).getReturnType());
        const flat = oneLine(`${prefix}${name}${generics}(${parameters.join(', ')}): ${returns}`);
        if (flat.length <= 80) return flat;
        const lines = parameters.map((parameter) => `  ${oneLine(parameter)},\n`).join('');
        return `${prefix}${name}${oneLine(generics)}(\n${lines}): ${oneLine(returns)}`;
      });
  }

  /** A doc comment: its text, and its tags as `{ name, text }`. */
  function docsOf(symbol) {
    const parts = symbol?.getDocumentationComment(checker) ?? [];
    const tags = (symbol?.getJsDocTags(checker) ?? []).map((tag) => ({
      name: tag.name,
      text: ts.displayPartsToString(tag.text),
    }));
    return { docs: ts.displayPartsToString(parts).trim(), tags };
  }
}

function memberName(symbol, declaration) {
  return declaration.name && ts.isComputedPropertyName(declaration.name) ? textOf(declaration.name) : symbol.name;
}

function headOf(declaration, word) {
  const generics = declaration.typeParameters ? `<${declaration.typeParameters.map(textOf).join(', ')}>` : '';
  const heritage = (declaration.heritageClauses ?? []).map((clause) => ` ${textOf(clause)}`).join('');
  const flat = oneLine(`${word} ${declaration.name.text}${generics}${heritage}`);
  return flat.length <= 60 ? flat : flat.replace(/ (extends|implements) (?=[^<>]*(<.*>)?$)/, '\n  $1 ');
}

function constructorsOf(symbol, declaration) {
  const constructors = declaration.members.filter(ts.isConstructorDeclaration);
  return constructors.map(({ parameters }) => oneLine(`new ${symbol.name}(${parameters.map(textOf).join(', ')})`));
}

/** Source text without comments and without `export`. */
function textOf(node) {
  const text = node.getText();
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  let kept = '';
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment = token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    if (!isComment) kept += scanner.getTokenText();
  }
  return kept
    .replace(/^export (declare )?/, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

function oneLine(text) {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([[(<]) | ([\])>])(?!=)/g, '$1$2')
    .replace(/,([\])])/g, '$1')
    .trim();
}

/** The comment that a file opens with. */
function openingComment(file) {
  const comment = /^\s*(?:\/\/\/.*\n)*\/\*\*([\s\S]*?)\*\//.exec(file.getFullText())?.[1] ?? '';
  return comment.replace(/^ *\* ?/gm, '').trim();
}

/** Doc comments of `export { … }` declarations, except that of the first statement, which is the file's. */
function exportComments(file) {
  return file.statements
    .slice(1)
    .filter(ts.isExportDeclaration)
    .flatMap((statement) => ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc))
    .map((comment) => ts.getTextOfJSDocComment(comment.comment) ?? '');
}

function compareNames(a, b) {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
