/** Hides the toolbar when the pointer has not moved for some time. A movement shows it again. */
export function hideWhenIdle(bar, { toolbarHidesAfterMs, speed }) {
  if (toolbarHidesAfterMs === null) return
  let timer
  const wake = () => {
    bar.classList.remove('hidden')
    clearTimeout(timer)
    timer = setTimeout(() => bar.classList.add('hidden'), toolbarHidesAfterMs / speed)
  }
  document.addEventListener('mousemove', wake)
  wake()
}
