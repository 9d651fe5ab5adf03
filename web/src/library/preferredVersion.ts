import { type catalogue, choosePreferredVersions } from '@dubplate/contract'
import { useSession } from '../platform/session.ts'

/** The versions that are added to the crate with a song. */
export const preferredVersions = (song: catalogue.Song): catalogue.Version[] =>
  choosePreferredVersions(song, useSession.getState().profile?.preferred_versions)

/** The version of a song that its play button plays; undefined if none can be played. */
export const preferredVersion = (song: catalogue.Song): catalogue.Version | undefined =>
  preferredVersions(song).find(({ available }) => available)
