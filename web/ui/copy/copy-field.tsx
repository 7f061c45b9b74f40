import { Group, TextInput } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

interface CopyFieldProps {
  label: string
  value: string
  /** The name of the copied value, used after "Copy": "API key". */
  what: string
  description?: string
  /** Focuses the field when it appears. */
  hasAutofocus?: boolean
  onCopied?: () => void
}

export function CopyField({
  label,
  value,
  what,
  description,
  hasAutofocus,
  onCopied,
}: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasAutofocus) field.current?.focus()
  }, [hasAutofocus])
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        ref={field}
        label={label}
        description={description}
        value={value}
        readOnly
        flex="1 1 160px"
        miw={0}
        classNames={{ input: 'secret-value' }}
        onFocus={(event) => event.currentTarget.select()}
        spellCheck={false}
        autoComplete="off"
      />
      <CopyButton text={value} what={what} {...(onCopied && { onCopied })} />
    </Group>
  )
}
