/** Answers to certain calls over HTTP, by either of the browser's two ways to make them. */
export function hookHttpCalls({ safely, listen, tellData, later }, { calls }) {
  const { fetch, XMLHttpRequest, Reflect, URL, Request, WeakMap, location } = globalThis

  function callIn(address) {
    const { pathname } = new URL(address, location.href)
    return calls.find((call) => pathname.endsWith(`/${call}`))
  }

  globalThis.fetch = function (...given) {
    const answer = Reflect.apply(fetch, this, given)
    safely(() => {
      const [asked] = given
      const call = callIn(asked instanceof Request ? asked.url : asked)
      if (call === undefined) return
      later(
        'call',
        call,
        answer.then((response) => response.clone().text()),
      )
    })
    return answer
  }

  const { open, send } = XMLHttpRequest.prototype
  const asked = new WeakMap()
  XMLHttpRequest.prototype.open = function (...given) {
    safely(() => asked.set(this, callIn(given[1])))
    return Reflect.apply(open, this, given)
  }
  XMLHttpRequest.prototype.send = function (...given) {
    safely(() => {
      const call = asked.get(this)
      if (call === undefined) return
      listen(this, 'load', () => tellData('call', call, this.response))
    })
    return Reflect.apply(send, this, given)
  }
}
