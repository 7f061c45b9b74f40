/** Reads Microsoft Teams by its data-tids, per row element, whatever changes. */
;(() => {
  const rows = new Map()
  window.tidRows = () => [...rows.values()]
  const read = () => {
    const wrapper = document.querySelector('[data-tid="closed-caption-renderer-wrapper"]')
    for (const row of wrapper?.querySelectorAll('.fui-ChatMessageCompact[role="log"]') ?? []) {
      const name = row.querySelector('[data-tid="author"]')?.textContent
      const words = row.querySelector('[data-tid="closed-caption-text"]')?.textContent
      const isMarked = row.querySelector('[data-tid="closed-captions-v2-items-renderer"]') !== null
      const isPure = row.textContent === `${name}${words}`
      if (name && words) rows.set(row, { name, words, isMarked, isPure })
    }
  }
  new MutationObserver(read).observe(document, {
    childList: true,
    subtree: true,
    characterData: true,
  })
})()
