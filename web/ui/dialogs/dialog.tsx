import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState, type ReactNode } from 'react'
import { PHONE } from '../breakpoints.ts'

interface DialogProps {
  title: string
  size?: 'md' | 'lg'
  onClose: () => void
  /** Closing by accident would lose something that cannot be shown again. */
  isSticky?: boolean
  children: ReactNode
}

/** Rendered while it is open: `{isAsking && <Dialog …/>}`. */
export function Dialog({ title, size = 'md', onClose, isSticky, children }: DialogProps) {
  useFocusReturn()
  const isPhone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      centered={!isPhone}
      fullScreen={isPhone}
      closeOnEscape={!isSticky}
      closeOnClickOutside={!isSticky}
      withCloseButton={!isSticky}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 120 }}
      padding="lg"
      // Mantine's <header> would count as a second banner of the page.
      attributes={{ header: { role: 'presentation' } }}
      styles={{ title: { fontSize: '1.2rem', fontWeight: 650, lineHeight: 1.35 } }}
    >
      {children}
    </Modal>
  )
}

/** Back to the button that opened the dialog, or to the page when that button went with its row. */
function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(() => {
    return () => {
      const isThere = opener instanceof HTMLElement && opener.isConnected
      const target = isThere ? opener : document.getElementById('main')
      target?.focus()
    }
  }, [opener])
}
