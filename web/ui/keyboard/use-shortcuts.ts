import { useEffect, useEffectEvent } from 'react'
import { areSingleKeyShortcutsEnabled } from './shortcuts-setting.ts'

/** Binds single-key shortcuts while no text field has the focus. `g m` means `g`, then `m`. */
export function useShortcuts(keys: Record<string, () => void>): void {
  const press = useEffectEvent((pressed: string, event: KeyboardEvent) => {
    const act = keys[pressed]
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    let last = ''
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || !areSingleKeyShortcutsEnabled()) return
      const pressed = last === 'g' ? `g ${event.key}` : event.key
      last = event.key
      press(pressed, event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
      target.closest('[role="dialog"], [role="menu"]') !== null)
  )
}
