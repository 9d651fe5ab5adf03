import { quality } from '@dubplate/contract'
import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { SealBadge } from '../../quality/SealBadge.tsx'
import { hasDifferences, VersionDifferences } from '../../quality/VersionDifferences.tsx'
import { playVersion } from './playVersion.ts'
import type { Song } from './songActions.ts'
import * as texts from './texts.ts'

const LABEL_PX = 120

/** The quality of each version of a song, and whether its Clean and Dirty versions differ. */
export function SongQuality({ song: { entity_id, versions, status } }: { song: Song }) {
  const { data, error, refetch } = useApiQuery(quality.getSongQuality, { entity_id })
  if (error) return <ErrorState error={error} subject={texts.quality} retry={() => void refetch()} />
  if (!data) return <Skeleton h={24 * versions.length} role="status" aria-busy aria-label={texts.loadingQuality} />
  const { seals, comparisons } = data
  const play = (songVersionId: number, seconds: number) => {
    const version = versions.find(({ song_version_id }) => song_version_id === songVersionId)
    if (version) void playVersion(entity_id, version, seconds)
  }
  return (
    <Stack gap="md">
      <Stack component="ul" gap="xs" aria-label={texts.quality}>
        {versions.map(({ song_version_id, version_label }) => {
          const found = seals.find((each) => each.song_version_id === song_version_id)
          return (
            <Group component="li" key={song_version_id} gap="sm" wrap="nowrap">
              <Text fz="md" w={LABEL_PX} flex="none" truncate title={version_label}>
                {version_label}
              </Text>
              {found && (
                <SealBadge seal={found.seal} name={version_label} target={{ song_version_id }} audience="staff" />
              )}
            </Group>
          )
        })}
      </Stack>
      {hasDifferences({ comparisons, audience: 'staff' }) && (
        <VersionDifferences
          comparisons={comparisons}
          audience="staff"
          {...(status === 'published' && { onPlay: play })}
        />
      )}
    </Stack>
  )
}
