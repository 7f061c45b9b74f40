/** Sets an entry as the newest one of a map, and drops the oldest one if there are more than `max`. */
export function setNewest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  max: number,
): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value as Key)
}

/** Adds a value to a set, and drops the oldest one if there are more than `max`. False if the set already has it. */
export function addIfNew<Value>(set: Set<Value>, value: Value, max: number): boolean {
  if (set.has(value)) return false
  set.add(value)
  if (set.size > max) set.delete(set.values().next().value as Value)
  return true
}
