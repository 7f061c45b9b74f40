import { Button, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { SearchIcon } from '../ui/icons.tsx'
import { useMenuPages } from './layout/menu-pages.tsx'
import { useShortcuts } from '../ui/keyboard/use-shortcuts.ts'

const Palette = lazy(async () => ({
  default: (await import('./command-palette/command-palette.tsx')).CommandPalette,
}))
const KeyDialog = lazy(async () => ({
  default: (await import('./command-palette/keyboard-shortcuts-dialog.tsx'))
    .KeyboardShortcutsDialog,
}))
const NewTokenDialog = lazy(async () => ({
  default: (await import('../account/tokens/new-token-dialog.tsx')).NewTokenDialog,
}))

type OpenDialog = 'palette' | 'keys' | 'token' | null

/** Binds the shortcuts that work on every page, and shows buttons for search and the shortcut list. */
export function ShortcutButtonsAndDialogs() {
  const navigate = useNavigate()
  const pages = useMenuPages()
  const [open, setOpen] = useState<OpenDialog>(null)
  const close = () => setOpen(null)
  const closeOnly = (dialog: OpenDialog) => () =>
    setOpen((current) => (current === dialog ? null : current))
  // Ctrl+K (⌘K on a Mac) opens the command palette even while a text field has the focus.
  useHotkeys([['mod+K', () => setOpen('palette')]], [], true)
  useShortcuts({
    ...Object.fromEntries(pages.map(({ keys, to }) => [keys, () => void navigate({ to })])),
    '?': () => setOpen('keys'),
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        ml="auto"
        leftSection={<SearchIcon />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen('palette')}
      >
        Search <VisuallyHidden>or jump to</VisuallyHidden>
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label="Keyboard shortcuts"
        onClick={() => setOpen('keys')}
      >
        ?
      </Button>
      <Suspense>
        {open === 'palette' && (
          <Palette
            onClose={closeOnly('palette')}
            onNewToken={() => setOpen('token')}
            onShowShortcuts={() => setOpen('keys')}
          />
        )}
        {open === 'keys' && <KeyDialog onClose={close} />}
        {open === 'token' && <NewTokenDialog onClose={close} />}
      </Suspense>
    </>
  )
}
