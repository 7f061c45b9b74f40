/** Reads Google Meet by the English label of the captions and by the class names of their rows, whatever changes. */
;(() => {
  const rows = new Map()
  window.labelledRows = () => [...rows.values()]
  const read = () => {
    const region = document.querySelector('div[role="region"][aria-label="Captions"]')
    for (const row of region?.querySelectorAll('.nMcdL') ?? []) {
      const name = row.querySelector('.NWpY1d')?.textContent
      const words = row.querySelector('.ygicle')?.textContent
      if (name && words)
        rows.set(row, { name, words, hasPicture: row.querySelector('img[data-iml]') !== null })
    }
  }
  const everything = { childList: true, subtree: true, characterData: true }
  new MutationObserver(read).observe(document, everything)
})()
