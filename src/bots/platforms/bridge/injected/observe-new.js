/** Returns a function with which hooks observe every new object of a global class. */
export function createConstructorObserver(runGuarded) {
  const { Reflect, Proxy, Map } = globalThis
  const observersByName = new Map()

  /** Replaces a global class with a proxy that passes each new object to the observers. */
  function wrapConstructor(name, observers) {
    const original = globalThis[name]
    const proxy = new Proxy(original, {
      construct(target, args, as) {
        const made = Reflect.construct(target, args, as)
        for (const onCreate of observers) runGuarded(() => onCreate(made))
        return made
      },
    })
    original.prototype.constructor = proxy
    globalThis[name] = proxy
  }
  return (name, onCreate) => {
    const observers = observersByName.get(name) ?? []
    observers.push(onCreate)
    if (observers.length > 1) return
    observersByName.set(name, observers)
    wrapConstructor(name, observers)
  }
}
