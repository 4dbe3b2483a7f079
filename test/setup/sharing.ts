/** Test files of a worker share devices. */
import { shareDevices } from '../helpers/shared-devices.ts';

shareDevices();
