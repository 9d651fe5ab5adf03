// `npm run build`: the server and the screens, as `npm start` would make them.
import { build, checkNode, install } from './run.mjs'

checkNode()
install()
build()
