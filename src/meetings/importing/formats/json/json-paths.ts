import { isObject } from './json-fields.ts'

/** The values at a path such as `channels.*.words`, where `*` stands for every element of a list. */
export function listAt(value: unknown, path: string): unknown[] {
  let values = [value]
  for (const key of path === '' ? [] : path.split('.')) {
    values = values.flatMap((one) => {
      if (key === '*') return Array.isArray(one) ? one : []
      if (Array.isArray(one))
        return /^\d+$/.test(key) ? one.slice(Number(key), Number(key) + 1) : []
      return isObject(one) && Object.hasOwn(one, key) ? [one[key]] : []
    })
  }
  return values
}

/** The first value that one of the paths has, and that is not null. */
export function firstAt(value: unknown, paths: readonly string[]): unknown {
  for (const path of paths) {
    const found = listAt(value, path).find((one) => one !== null && one !== undefined)
    if (found !== undefined) return found
  }
  return undefined
}
