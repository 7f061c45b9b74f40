/**
 * Reports what the page passes to certain functions of its own, by their names. Microsoft Teams receives its chat in a
 * worker, so such a function is the first place in the page that has a chat message. The page binds it before use.
 */
export function hookCallbacks({ runGuarded, sendData }, { callbacks = [] }) {
  if (callbacks.length === 0) return
  const { Reflect, Function, JSON } = globalThis
  const { bind } = Function.prototype
  const { stringify } = JSON

  Function.prototype.bind = function (...args) {
    const bound = Reflect.apply(bind, this, args)
    if (typeof this !== 'function' || !callbacks.includes(this.name)) return bound
    const { name } = this
    return function (...given) {
      runGuarded(() => sendData('callback', name, stringify(given[0]) ?? ''))
      return Reflect.apply(bound, this, given)
    }
  }
}
