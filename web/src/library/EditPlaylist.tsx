import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'

/** The dialog for the name and description of a playlist. */
export const EditPlaylist = lazyOnDemand(async () => {
  const { PlaylistForm } = await (await import('../otherScreens.ts')).PlaylistForm()
  return PlaylistForm
})
