/**
 * Reads Microsoft Teams. It must first have seen the join button, turns captions on by keyboard, and takes the name
 * from directly before the wrapper of a text that changes in place.
 */
;(() => {
  const heard = { sawJoin: false, hasLeft: false, blocks: [] }
  window.utterances = heard
  const list = () => document.querySelector('[data-tid="closed-caption-v2-virtual-list-content"]')
  let last = null

  function onText({ type, target }) {
    if (type !== 'characterData') return
    const text = target.parentElement
    const name = text.parentElement.previousSibling?.textContent
    const words = text.textContent
    if (!name || !words) return
    if (text === last) heard.blocks.at(-1).words = words
    else heard.blocks.push({ name, words })
    last = text
  }
  function when(find, act) {
    const found = find()
    if (found) act(found)
    else requestAnimationFrame(() => when(find, act))
  }

  when(
    () => document.querySelector('#prejoin-join-button'),
    () => {
      heard.sawJoin = true
      when(
        () => document.querySelector('#hangup-button'),
        (hangUp) => {
          const isPair = hangUp.nextElementSibling?.tagName === 'BUTTON'
          const place = isPair ? hangUp.parentElement : hangUp
          place.addEventListener('click', () => {
            heard.hasLeft = true
          })
          const keys = { key: 'C', code: 'KeyC', altKey: true, shiftKey: true, bubbles: true }
          document.dispatchEvent(new KeyboardEvent('keydown', keys))
        },
      )
    },
  )
  when(list, (found) => {
    const everything = { childList: true, attributes: true, subtree: true, characterData: true }
    new MutationObserver((records) => records.forEach(onText)).observe(found, everything)
  })
})()
