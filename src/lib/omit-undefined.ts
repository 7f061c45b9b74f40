/** The fields that have a value. Types that are exact about optional fields accept no undefined ones. */
export function omitUndefined<T extends object>(
  fields: T,
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
} {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as ReturnType<typeof omitUndefined<T>>
}
