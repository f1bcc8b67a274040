// expect: fail — exports that resist being looked at
const resist = () => {
  throw null;
};
module.exports = new Proxy({}, { get: resist, has: resist, ownKeys: resist, getOwnPropertyDescriptor: resist });
