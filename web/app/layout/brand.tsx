import { Group, Text } from '@mantine/core'

export function BrandLogoAndName() {
  return (
    <Group gap={10} wrap="nowrap">
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <Text span fw={700} size="lg">
        Hansard
      </Text>
    </Group>
  )
}
