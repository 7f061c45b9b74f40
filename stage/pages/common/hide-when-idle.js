/** Hides the bar when the pointer has rested for a while; a movement brings it back. */
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
