import { quality } from '@dubplate/contract'
import { Skeleton, Stack, Text } from '@mantine/core'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { SealBadge } from '../../quality/SealBadge.tsx'
import { hasDifferences, VersionDifferences } from '../../quality/VersionDifferences.tsx'
import type { Song } from './songActions.ts'
import * as texts from './texts.ts'

/** The quality of each version of a song, and whether its Clean and Dirty versions differ. */
export function SongQuality({ song: { entity_id, versions } }: { song: Song }) {
  const { data, error, refetch } = useApiQuery(quality.getSongQuality, { entity_id })
  if (error) return <ErrorState error={error} subject={texts.quality} retry={() => void refetch()} />
  if (!data) return <Skeleton h={24 * versions.length} role="status" aria-busy aria-label={texts.loadingQuality} />
  const { seals, comparisons } = data
  return (
    <Stack gap="md">
      <Stack component="ul" gap="xs" aria-label={texts.quality}>
        {versions.map(({ song_version_id, version_label }) => {
          const found = seals.find((each) => each.song_version_id === song_version_id)
          return (
            <Text component="li" key={song_version_id} fz="md">
              {version_label}{' '}
              {found && (
                <SealBadge seal={found.seal} name={version_label} target={{ song_version_id }} audience="staff" />
              )}
            </Text>
          )
        })}
      </Stack>
      {hasDifferences({ comparisons, audience: 'staff' }) && (
        <VersionDifferences comparisons={comparisons} audience="staff" />
      )}
    </Stack>
  )
}
