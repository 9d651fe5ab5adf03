import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'

/** The dialog for the name and description of a playlist. */
export const EditPlaylist = lazyOnDemand(async () => (await import('./PlaylistForm.tsx')).PlaylistForm)
