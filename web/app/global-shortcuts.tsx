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

/** The keys that work on every page, and the button for those who do not know them. */
export function GlobalShortcuts() {
  const navigate = useNavigate()
  const pages = useMenuPages()
  const [open, setOpen] = useState<OpenDialog>(null)
  const close = () => setOpen(null)
  const closeOne = (one: OpenDialog) => () => setOpen((now) => (now === one ? null : now))
  // In fields too: it has a modifier, so nobody types it.
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
        Search <VisuallyHidden>or go to</VisuallyHidden>
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label="Keyboard keys"
        onClick={() => setOpen('keys')}
      >
        ?
      </Button>
      <Suspense>
        {open === 'palette' && (
          <Palette
            onClose={closeOne('palette')}
            onNewToken={() => setOpen('token')}
            onKeys={() => setOpen('keys')}
          />
        )}
        {open === 'keys' && <KeyDialog onClose={close} />}
        {open === 'token' && <NewTokenDialog onClose={close} />}
      </Suspense>
    </>
  )
}
