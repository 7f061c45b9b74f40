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

/** The one time that the next secret is shown. */
export function NextSecretStep({ secret, action, onActivate, onLater }: NextSecretStepProps) {
  const [isStored, setStored] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const mayLeave = isStored || isCopied
  return (
    <Stack gap="md">
      <Text>
        This value is shown once. Give it to your receivers beside the present one, then activate
        it: here, or later from the list of tokens. After 24 hours it activates itself.
      </Text>
      <CopyField
        label="Next signing secret"
        value={secret}
        what="next signing secret"
        isFirst
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
