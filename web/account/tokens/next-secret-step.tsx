import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { CopyField } from '../../ui/copy/copy-field.tsx'
import { ErrorBox } from '../../ui/feedback/error-box.tsx'

interface NextSecretStepProps {
  secret: string
  action: { isRunning: boolean; error: unknown }
  onActivate: () => void
  onLater: () => void
}

/** Shows the next signing secret, which is shown only once. */
export function ShowNextSecretStep({ secret, action, onActivate, onLater }: NextSecretStepProps) {
  const [isStored, setStored] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const mayLeave = isStored || isCopied
  return (
    <Stack gap="md">
      <Text>
        This value is shown only once. Add it to your receivers next to the current secret, then
        activate it here or later from the token list. It is activated automatically after 24 hours.
      </Text>
      <CopyField
        label="Next signing secret"
        value={secret}
        what="next signing secret"
        hasAutofocus
        onCopied={() => setCopied(true)}
      />
      <Checkbox
        label="I have stored it"
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      {action.error ? <ErrorBox error={action.error} /> : null}
      <Group justify="flex-end">
        <Button variant="default" onClick={onLater} disabled={!mayLeave}>
          Activate later
        </Button>
        <Button onClick={onActivate} disabled={!mayLeave} loading={action.isRunning}>
          Activate
        </Button>
      </Group>
    </Stack>
  )
}
