import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState, type MouseEvent } from 'react'
import { copyText } from './copy-text.ts'
import { CheckIcon, CopyIcon } from '../icons.tsx'

interface CopyButtonProps {
  text: string
  /** The name of the copied value, used after "Copy": "API key". */
  what: string
  /** Shows `what` on the button. Without it, only screen readers read `what`. */
  showsLabel?: boolean
  size?: 'xs' | 'sm'
  onCopied?: () => void
}

type CopyResult = 'none' | 'copied' | 'failed'

export function CopyButton({
  text,
  what,
  showsLabel = false,
  size = 'sm',
  onCopied,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<CopyResult>('none')
  const { start } = useTimeout(() => setOutcome('none'), 4_000)

  async function copy({ currentTarget }: MouseEvent<HTMLButtonElement>): Promise<void> {
    const isCopied = await copyText(text, currentTarget)
    setOutcome(isCopied ? 'copied' : 'failed')
    if (!isCopied) return
    start()
    onCopied?.()
  }

  return (
    <>
      <Button
        variant="default"
        size={size}
        onClick={(event) => void copy(event)}
        leftSection={outcome === 'copied' ? <CheckIcon /> : <CopyIcon />}
      >
        {/* Hidden text instead of aria-label, so that the label `what` matches only the field next to the button. */}
        Copy {showsLabel ? what : <VisuallyHidden>{what}</VisuallyHidden>}
      </Button>
      {/* A check mark shows success. A failure is explained in text. */}
      {outcome === 'failed' ? (
        <Text role="alert" size="sm" c="var(--mantine-color-error)" flex="1 0 100%">
          Your browser blocked copying. Select the text and copy it manually.
        </Text>
      ) : (
        <VisuallyHidden role="status">{outcome === 'copied' && `Copied ${what}`}</VisuallyHidden>
      )}
    </>
  )
}
