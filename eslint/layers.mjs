import path from 'node:path';

/**
 * Rejects an import that the layer table does not allow, and a file that is in no layer.
 *
 * A row's key is a folder, or `folder/*` for the files directly in it; its value lists what the row may import besides
 * itself, where `folder` also covers the rows below that folder.
 * @type {import('eslint').Rule.RuleModule}
 */
export const layersRule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object', required: ['layers', 'relativeWithin', 'subpaths', 'guarded'] }],
    messages: {
      homeless: '"{{file}}" is in no layer: add its folder to the table in eslint.config.mjs',
      unknown: '"{{source}}" is in no layer: add its folder to the table in eslint.config.mjs',
      forbidden: '"{{from}}" may not import "{{to}}": it may import {{allowed}}',
      relative: 'A relative import may not leave "{{home}}": write "{{subpath}}"',
      subpath: '"{{source}}" is no subpath of package.json: use {{allowed}}',
      guarded: '"{{source}}" may be imported only in {{allowed}}',
      opaque: 'Cannot check the layer of an import that is not a fixed text: write the path out',
    },
  },
  create(context) {
    const { layers, relativeWithin, subpaths, guarded } = context.options[0];
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const from = layerOf(file, layers);
    if (from === undefined) {
      return { Program: (node) => context.report({ node, messageId: 'homeless', data: { file } }) };
    }

    /** @param {any} node @returns {[string, Record<string, string>] | undefined} */
    function problemOf(node) {
      const text =
        node?.type === 'TemplateLiteral' && !node.expressions[0] ? node.quasis[0].value.cooked : node?.value;
      if (typeof text !== 'string') return ['opaque', {}];
      const source = text.replace(/\?.*$/, '');
      const places = guarded[source.replace(/^node:/, '').split('/')[0] ?? ''];
      if (places && !covers(places, file)) return ['guarded', { source, allowed: quoted(places) }];
      if (!/^[#./]/.test(source)) return undefined;

      const target = targetOf(source, file, subpaths);
      if (target === undefined) return ['subpath', { source, allowed: quoted(Object.keys(subpaths)) }];
      const to = layerOf(target, layers);
      if (to === undefined) return ['unknown', { source }];
      if (to === from) return undefined;
      const allowed = [from, ...layers[from]];
      if (!covers(allowed, to)) return ['forbidden', { from, to, allowed: quoted(allowed) }];
      const home = relativeWithin.find((/** @type {string} */ folder) => covers([folder], from)) ?? from;
      const subpath = subpathOf(target, subpaths);
      if (source.startsWith('#') || covers([home], to) || subpath === undefined) return undefined;
      return ['relative', { home, subpath }];
    }

    const check = (/** @type {any} */ node) => {
      const [messageId, data] = problemOf(node) ?? [];
      if (messageId !== undefined) context.report({ node, messageId, data });
    };
    const checkSource = (/** @type {any} */ node) => node.source && check(node.source);
    return {
      'ImportDeclaration, ImportExpression, TSImportType': checkSource,
      'ExportNamedDeclaration, ExportAllDeclaration': checkSource,
      'CallExpression[callee.name="require"]': (/** @type {any} */ node) => check(node.arguments[0]),
    };
  },
};

/** @param {string} file @param {Record<string, string[]>} layers */
function layerOf(file, layers) {
  const direct = path.posix.join(path.posix.dirname(file), '*');
  return direct in layers ? direct : Object.keys(layers).find((layer) => covers([layer], file));
}

/** @param {string[]} folders @param {string} place */
function covers(folders, place) {
  return folders.some((folder) => place === folder || place.startsWith(`${folder}/`));
}

/** @param {string} source @param {string} file @param {Record<string, string>} subpaths */
function targetOf(source, file, subpaths) {
  if (source.startsWith('.')) return path.posix.join(path.posix.dirname(file), source);
  if (source.startsWith('/')) return path.posix.normalize(source.slice(1));
  const [subpath, folder] =
    Object.entries(subpaths).find(([key]) => source.startsWith(key.slice(0, -1))) ?? [];
  if (subpath === undefined || folder === undefined) return undefined;
  return path.posix.join(folder.slice(0, -1), source.slice(subpath.length - 1));
}

/** @param {string} target @param {Record<string, string>} subpaths */
function subpathOf(target, subpaths) {
  const [subpath, folder] =
    Object.entries(subpaths).find(([, to]) => target.startsWith(to.slice(2, -1))) ?? [];
  return subpath && folder && subpath.slice(0, -1) + target.slice(folder.length - 3);
}

/** @param {string[]} names */
function quoted(names) {
  return names.map((name) => `"${name}"`).join(', ');
}
