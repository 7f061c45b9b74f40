/**
 * Groups of functions, one for each operation. Their arguments are: path parameters, body, query, options. `run` gets
 * the operation, the request that it stands for, and the options.
 */
export function bindOperations(operations, run) {
  return mapValues(operations, (group) =>
    mapValues(group, (operation) => (...args) => {
      const [call, options] = prepareCall(operation, args)
      return run(operation, call, options)
    }),
  )
}

function prepareCall({ method, path, sends, hasQuery }, args) {
  const rest = [...args]
  const ownPath = path.replace(/\{(\w+)\}/g, (_, name) => encodePath(name, rest.shift()))
  const body = sends === undefined ? undefined : encodeBody(sends, rest.shift())
  const query = hasQuery ? encodeQuery(rest.shift() ?? {}) : ''
  const options = rest.shift() ?? {}
  const headers = { ...options.headers, ...(sends !== undefined && { 'content-type': sends }) }
  return [{ method, path: `${ownPath}${query}`, headers, body }, options]
}

/** Encodes a path parameter. Rejects values that would change the path. Only `path` may contain slashes. */
function encodePath(name, value) {
  const text = typeof value === 'number' ? String(value) : value
  const parts = name === 'path' ? String(text).split('/') : [text]
  const isName = (part) => typeof part === 'string' && !/^\.{0,2}$/.test(part)
  if (!parts.every(isName))
    throw new TypeError(`${name} must be a non-empty name other than . and ..`)
  return parts.map(encodeURIComponent).join('/')
}

function encodeBody(mediaType, value) {
  if (value instanceof Blob) return value
  return mediaType === 'application/json' ? JSON.stringify(value ?? {}) : String(value ?? '')
}

function encodeQuery(query) {
  const defined = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const text = new URLSearchParams(defined.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
