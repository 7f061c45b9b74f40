/** Reports the responses of certain HTTP calls, made with fetch or XMLHttpRequest. */
export function hookHttpCalls({ runGuarded, addListener, sendData, sendWhenReady }, { calls }) {
  const { fetch, XMLHttpRequest, Reflect, URL, Request, WeakMap, location } = globalThis

  function matchingCall(address) {
    const { pathname } = new URL(address, location.href)
    return calls.find((call) => pathname.endsWith(`/${call}`))
  }

  globalThis.fetch = function (...args) {
    const answer = Reflect.apply(fetch, this, args)
    runGuarded(() => {
      const [request] = args
      const call = matchingCall(request instanceof Request ? request.url : request)
      if (call === undefined) return
      sendWhenReady(
        'call',
        call,
        answer.then((response) => response.clone().text()),
      )
    })
    return answer
  }

  const { open, send } = XMLHttpRequest.prototype
  const callByRequest = new WeakMap()
  XMLHttpRequest.prototype.open = function (...args) {
    runGuarded(() => callByRequest.set(this, matchingCall(args[1])))
    return Reflect.apply(open, this, args)
  }
  XMLHttpRequest.prototype.send = function (...args) {
    runGuarded(() => {
      const call = callByRequest.get(this)
      if (call === undefined) return
      addListener(this, 'load', () => sendData('call', call, this.response))
    })
    return Reflect.apply(send, this, args)
  }
}
