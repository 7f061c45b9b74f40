import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

/** A scroll position this close to the end is treated as the end. */
const END_TOLERANCE_PX = 48

export interface AutoScroll {
  scrollArea: RefObject<HTMLDivElement | null>
  content: RefObject<HTMLDivElement | null>
  isFollowing: boolean
  onScroll: () => void
  resume: () => void
  pause: () => void
}

/** Scrolls to the end as lines arrive. Scrolling up pauses this until the user returns to the end. */
export function useAutoScroll(startsAtEnd: boolean): AutoScroll {
  const area = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const lastTop = useRef(0)
  const isOn = useRef(startsAtEnd)
  const [isFollowing, setFollowing] = useState(startsAtEnd)

  const set = useCallback((value: boolean) => {
    isOn.current = value
    setFollowing(value)
  }, [])
  const toEnd = useCallback(() => {
    const box = area.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    lastTop.current = box.scrollTop
  }, [])

  // The end of the transcript moves when lines are added, and when lines that scroll into view get their real height.
  useEffect(() => {
    if (!content.current || !area.current) return undefined
    const observer = new ResizeObserver(() => {
      if (isOn.current) toEnd()
    })
    observer.observe(content.current)
    observer.observe(area.current)
    return () => observer.disconnect()
  }, [toEnd])

  const onScroll = useCallback(() => {
    const box = area.current
    if (!box) return
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight < END_TOLERANCE_PX
    // Only scrolling up pauses auto-scroll, because only the user does that, while this hook scrolls down.
    if (box.scrollTop < lastTop.current - 1 && !isAtEnd) set(false)
    else if (isAtEnd && !isOn.current) set(true)
    lastTop.current = box.scrollTop
  }, [set])

  const follow = useCallback(() => {
    set(true)
    toEnd()
    area.current?.focus({ preventScroll: true })
  }, [set, toEnd])
  const pause = useCallback(() => set(false), [set])
  return { scrollArea: area, content, isFollowing, onScroll, resume: follow, pause }
}
