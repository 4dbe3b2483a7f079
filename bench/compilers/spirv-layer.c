// A Vulkan layer that writes each shader module of a process to NNN.spv in the folder $SPIRV_FOLDER, and the text that the
// file `label` there has at that time to NNN.txt. Dawn prints modules itself, but cuts long ones off.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr nextInstanceProc;
static PFN_vkGetDeviceProcAddr nextDeviceProc;
static PFN_vkCreateShaderModule nextCreateShaderModule;
static int moduleCount;

static void writeFile(const char *folder, int number, const char *ending, const void *bytes, size_t size) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%03d.%s", folder, number, ending);
  FILE *file = fopen(path, "w");
  if (!file) return;
  fwrite(bytes, 1, size, file);
  fclose(file);
}

static VKAPI_ATTR VkResult VKAPI_CALL createShaderModule(
  VkDevice device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *allocator, VkShaderModule *module
) {
  const char *folder = getenv("SPIRV_FOLDER");
  if (folder) {
    const int number = __sync_fetch_and_add(&moduleCount, 1);
    char path[1024], label[4096];
    snprintf(path, sizeof path, "%s/label", folder);
    FILE *file = fopen(path, "r");
    const size_t length = file ? fread(label, 1, sizeof label, file) : 0;
    if (file) fclose(file);
    writeFile(folder, number, "txt", label, length);
    writeFile(folder, number, "spv", info->pCode, info->codeSize);
  }
  return nextCreateShaderModule(device, info, allocator, module);
}

// The link of a chain of structures that leads to the next layer, or NULL.
static void *nextLayer(const void *chain, VkStructureType type) {
  const VkLayerInstanceCreateInfo *link = chain;
  while (link && !(link->sType == type && link->function == VK_LAYER_LINK_INFO)) link = link->pNext;
  return (void *)link;
}

static VKAPI_ATTR VkResult VKAPI_CALL createInstance(
  const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *instance
) {
  VkLayerInstanceCreateInfo *link = nextLayer(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  nextInstanceProc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  return ((PFN_vkCreateInstance)nextInstanceProc(NULL, "vkCreateInstance"))(info, allocator, instance);
}

static VKAPI_ATTR VkResult VKAPI_CALL createDevice(
  VkPhysicalDevice adapter, const VkDeviceCreateInfo *info, const VkAllocationCallbacks *allocator, VkDevice *device
) {
  VkLayerDeviceCreateInfo *link = nextLayer(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr instanceProc = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  nextDeviceProc = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult result = ((PFN_vkCreateDevice)instanceProc(NULL, "vkCreateDevice"))(adapter, info, allocator, device);
  if (result == VK_SUCCESS)
    nextCreateShaderModule = (PFN_vkCreateShaderModule)nextDeviceProc(*device, "vkCreateShaderModule");
  return result;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL deviceProc(VkDevice device, const char *name) {
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (PFN_vkVoidFunction)deviceProc;
  if (!strcmp(name, "vkCreateShaderModule")) return (PFN_vkVoidFunction)createShaderModule;
  return nextDeviceProc(device, name);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL instanceProc(VkInstance instance, const char *name) {
  if (!strcmp(name, "vkGetInstanceProcAddr")) return (PFN_vkVoidFunction)instanceProc;
  if (!strcmp(name, "vkCreateInstance")) return (PFN_vkVoidFunction)createInstance;
  if (!strcmp(name, "vkCreateDevice")) return (PFN_vkVoidFunction)createDevice;
  if (!strcmp(name, "vkGetDeviceProcAddr")) return (PFN_vkVoidFunction)deviceProc;
  if (!strcmp(name, "vkCreateShaderModule")) return (PFN_vkVoidFunction)createShaderModule;
  return nextInstanceProc ? nextInstanceProc(instance, name) : NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *version) {
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = instanceProc;
  version->pfnGetDeviceProcAddr = deviceProc;
  version->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
