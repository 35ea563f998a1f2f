export { shareBundle as setup } from './share-bundle.js';
